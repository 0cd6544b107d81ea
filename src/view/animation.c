#include "view/animation.h"

#include <math.h>

#include "view/figure_work.h"
#include "view/image.h"

const double animation_rest = 2;

const Frame *animation_growing(int rows, Arena *arena, int *count) {
    int each = (rows + FRAMES_MOST - 1) / FRAMES_MOST;
    Frame *frame = ARENA_ARRAY(arena, Frame, FRAMES_MOST);
    *count = 0;
    for (int shown = each; shown < rows; shown += each)
        frame[(*count)++] = (Frame){.shown = shown};
    return frame;
}

double animation_delay(const Figure *figure) {
    const double together = 8;
    const double least = 0.1;
    const double most = 0.8;
    if (figure->delay > 0) return figure->delay;
    return fmin(fmax(together / (figure->frames + 1), least), most);
}

/* A canvas on which nothing is drawn: it tells how large a figure will be. */
typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Ruler * */
    Canvas *letters;
    Box least;
} Ruler;

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    Ruler *ruler = (Ruler *)canvas;
    (void)error;
    ruler->least.width = fmax(ruler->least.width, width);
    ruler->least.height = fmax(ruler->least.height, height);
    return true;
}

static void fill(Canvas *canvas, Box box, Color color) {
    (void)canvas, (void)box, (void)color;
}

static void hatch(Canvas *canvas, Box box) {
    (void)canvas, (void)box;
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    (void)canvas, (void)point, (void)count, (void)stroke;
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    (void)canvas, (void)at, (void)style, (void)text;
}

static double measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Ruler *)canvas)->letters;
    return letters->measure(letters, style, text);
}

static Figure frame_of(const Figure *figure, int f) {
    Figure frame = *figure;
    if (f == figure->frames) return frame;
    frame.shown = figure->frame[f].shown;
    if (figure->frame[f].slice) frame.slice = figure->frame[f].slice;
    return frame;
}

/* The size that holds each of the frames, and the figure itself. */
static bool measure_frames(const Figure *figure, const PictureWish *wish, Arena *arena,
                           Box *least, Error *error) {
    Canvas *letters = image_new(arena, IMAGE_PNG, wish);
    Ruler ruler = {.canvas = {.metrics = letters->metrics,
                              .begin = begin,
                              .fill = fill,
                              .hatch = hatch,
                              .line = line,
                              .text = text,
                              .measure = measure,
                              .theme = letters->theme},
                   .letters = letters};
    bool done = true;
    for (int f = 0; done && f <= figure->frames; f++) {
        const Figure frame = frame_of(figure, f);
        Work work = {
            .figure = &frame, .canvas = &ruler.canvas, .arena = arena, .whole = true};
        done = figure_draw(&work, error);
    }
    *least = ruler.least;
    picture_close(letters);
    return done;
}

static bool draw_frame(const Figure *figure, const PictureWish *wish, Arena *arena,
                       Apng *apng, const Box *least, Error *error) {
    Canvas *canvas = image_new(arena, IMAGE_PNG, wish);
    Work work = {.figure = figure, .canvas = canvas, .arena = arena, .whole = true};
    image_least(canvas, least->width, least->height);
    bool done = figure_draw(&work, error);
    if (done) {
        const Pixels pixels = image_pixels(canvas);
        done = apng_add(apng, &pixels, animation_delay(figure), error);
    }
    picture_close(canvas);
    return done;
}

/* Three of them are held at once. */
static bool check_size(const Box *least, const PictureWish *wish, Error *error) {
    enum { PIXELS_MOST = 16 * 1024 * 1024 };
    double side = wish->density > 0 ? wish->density : 1;
    if (wish->width > 0) side *= wish->width / least->width;
    double pixels = least->width * least->height * side * side;
    return pixels <= PIXELS_MOST ||
           fail(error,
                "each frame would have %.0f million pixels, and at most %d million are "
                "drawn: choose a smaller --scale, or a part of the tensor",
                pixels / 1000 / 1000, PIXELS_MOST / 1000 / 1000);
}

bool animation_draw(const Figure *figure, const PictureWish *wish, Arena *arena,
                    Apng *apng, Box *least, Error *error) {
    if (!figure->frame)
        return fail(error, "an .apng is a picture that moves: `draw decoding`, `draw "
                           "position` and the snapshots of a training do; for others "
                           "take .png");
    if (!measure_frames(figure, wish, arena, least, error) ||
        !check_size(least, wish, error))
        return false;
    for (int f = 0; f < figure->frames; f++) {
        /* What a frame needs is given back after it: a picture takes megabytes. */
        Arena drawing = {0};
        const Figure frame = frame_of(figure, f);
        bool done = draw_frame(&frame, wish, &drawing, apng, least, error);
        arena_free(&drawing);
        if (!done) return false;
    }
    return true;
}
