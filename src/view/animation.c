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
    bool done = true;
    *least = (Box){0};
    for (int f = 0; done && f <= figure->frames; f++) {
        const Figure frame = frame_of(figure, f);
        Work work = {
            .figure = &frame, .canvas = letters, .arena = arena, .whole = true};
        done = figure_plan(&work, error);
        least->width = fmax(least->width, work.page.width);
        least->height = fmax(least->height, work.page.height);
    }
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
