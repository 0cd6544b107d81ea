/* Figures as files, still or animated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "canvas/canvas.h"
#include "canvas/picture.h"
#include "figure/figure_draw.h"
#include "text/unicode.h"

/* Width of a .txt in letters. Pixels per inch of a picture whose width is given in a
 * unit of paper, without a resolution. */
enum { TEXT_WIDTH = 120, PRINT_DPI = 300 };

static const struct {
    const char *name;
    double per_inch;
    bool on_paper;
} units[] = {
    {"mm", 25.4, true}, {"cm", 2.54, true}, {"in", 1, true}, {"px", 96, false}};
enum { UNITS = sizeof units / sizeof *units };

const char *const caption_lengths[] = {"full", "short", "none", NULL};
const char *const label_marks[] = {"marked", "plain", NULL};
const char *const letter_kinds[] = {"text", "outlines", NULL};

bool length_read(const char *text, Length *length) {
    static const double min = 0.1, max = 100; /* inches */
    size_t letters = strlen(text);
    int u = 0;
    while (u < UNITS && (letters < 3 || strcmp(text + letters - 2, units[u].name) != 0))
        u++;
    if (u == UNITS || strspn(text, "0123456789.") == 0) return false;
    char *end;
    double number = strtod(text, &end);
    end += *end == ' ';
    double inches = number / units[u].per_inch;
    if (strcmp(end, units[u].name) != 0 || !(inches >= min && inches <= max))
        return false;
    *length = (Length){inches * UNITS_PER_INCH, units[u].on_paper, text};
    return true;
}

typedef struct {
    const Figure *figure;
    const char *path;
    bool replace;
    Arena *arena;
    const char **warning;
    bool has_numbers; /* its cells have numbers if there is room for them */
} Save;

/* The kinds of files. */
enum { FILE_PNG, FILE_SVG, FILE_PDF, FILE_TEX, FILE_APNG, FILE_TXT };

static const char *const file_endings[] = {".png", ".svg",  ".pdf",
                                           ".tex", ".apng", ".txt"};
enum { FILE_KINDS = sizeof file_endings / sizeof *file_endings };

static bool has_numbers(const Work *work) {
    return work->panels.count && work->panels.heatmap[0].numbers;
}

/* Return what is wrong with a saved picture, or NULL. */
static const char *warn(const Save *save, const Work *work,
                        const LibraryWarning *libraries) {
    const char *path = unicode_escape(save->path, strlen(save->path), save->arena);
    const FigureLook *look = &save->figure->look;
    const Picture *picture = (Picture *)work->canvas;
    bool unnumbered = save->has_numbers && !has_numbers(work);
    bool unnamed = work->panels.count && work->panels.heatmap[0].columns.step > 1;
    if (work->canvas->metrics.room == ROOM_SHORT && (unnumbered || unnamed))
        return trf(save->arena,
                   "%s: at %g points in width %s there is no room for %s; widen the "
                   "figure or shrink the font",
                   path, look->font_size, look->width.typed,
                   tr(!unnamed     ? N_("the numbers of the cells")
                      : unnumbered ? N_("the numbers of the cells and some of the "
                                        "labels above them")
                                   : N_("some of the labels above the cells")));
    const char *text = picture->letters->lacking;
    int missing = picture->letters->missing;
    if (missing == 0) return letters_warning(libraries, path, save->arena);
    if (picture->markup)
        return trf(save->arena,
                   "%s: %d letters are in no font here and may appear as boxes; a "
                   "font that has them is %s",
                   path, missing, letters_package(text));
    return trf(save->arena,
               "%s: %d letters are in no font here and are drawn as boxes; install a "
               "font that has them, such as %s",
               path, missing, letters_package(text));
}

/* Return the height of body text of `body` units after the page is scaled to the
 * requested width; 0 if it cannot be planned. */
static double scaled_body(Save *save, const PictureOptions *options, double body,
                          Error *error) {
    PictureOptions tried = *options;
    tried.body = body;
    Arena arena = {0};
    Work work = {.figure = save->figure, .arena = &arena, .whole = true};
    work.canvas = image_new(&arena, IMAGE_PDF, &tried);
    bool planned = figure_plan(&work, error);
    double scaled = planned ? body * options->width / ceil(work.page.width) : 0;
    if (options->room == ROOM_FULL) save->has_numbers = has_numbers(&work);
    picture_close(work.canvas);
    arena_free(&arena);
    return scaled;
}

/* Choose the size of letters before scaling, so that afterward they have the requested
 * size or slightly more. */
static bool letters_fit(Save *save, PictureOptions *options, Error *error) {
    enum { HALVINGS = 10 };
    const double near_enough = 1.005;
    const double larger = 1.04;
    const FigureLook *look = &save->figure->look;
    double asked = look->font_size * UNITS_PER_INCH / POINTS_PER_INCH;
    options->body = asked;
    if (asked <= 0 || options->width <= 0) return true;
    double min = 1;
    double body = 8 * LETTERS_BODY;
    double scaled = scaled_body(save, options, body, error);
    while (scaled > 0 && scaled < asked && options->room < ROOM_SHORT) {
        options->room++;
        scaled = scaled_body(save, options, body, error);
    }
    if (scaled <= 0) return false;
    if (scaled < asked)
        return fail(error,
                    "%g-point text does not fit in width %s, but %.1f-point text does; "
                    "widen the figure or shrink the font",
                    look->font_size, look->width.typed,
                    floor(10 * look->font_size * scaled / asked) / 10);
    /* Larger letters make the page wider, so it is scaled down more: find the size by
     * bisection. */
    for (int i = 0; i < HALVINGS && scaled >= near_enough * asked; i++) {
        double tried = (min + body) / 2;
        double becomes = scaled_body(save, options, tried, error);
        if (becomes <= 0) return false;
        if (becomes < asked) {
            min = tried;
        } else {
            body = tried;
            scaled = becomes;
        }
    }
    options->body = body;
    if (scaled < larger * asked) return true;
    /* Larger letters left out the numbers of the cells, so the page became narrower:
     * widen it. */
    options->min = body * options->width / asked;
    return min > 1 ||
           fail(error,
                "letters of %g points would be larger in width %s; narrow the figure "
                "or enlarge the font",
                look->font_size, look->width.typed);
}

typedef struct {
    const Save *save;
    unsigned char *bytes;
    size_t count;
    int capacity;
} File;

static bool sink(void *context, const unsigned char *bytes, size_t count) {
    enum { BYTES_MAX = 256 * 1024 * 1024 };
    File *file = context;
    if (count > BYTES_MAX - file->count) return false;
    while (file->count + count > (size_t)file->capacity)
        file->bytes = arena_grow(file->save->arena, file->bytes, (int)file->count,
                                 &file->capacity, 1);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}

const Frame *animation_growing(int rows, Arena *arena, int *count) {
    int each = (rows + FRAMES_MAX - 1) / FRAMES_MAX;
    Frame *frame = ARENA_ARRAY(arena, Frame, FRAMES_MAX);
    *count = 0;
    for (int shown = each; shown < rows; shown += each)
        frame[(*count)++] = (Frame){.shown = shown};
    return frame;
}

static Figure frame_of(const Figure *figure, int f) {
    Figure frame = *figure;
    if (f == figure->frames) return frame;
    frame.shown = figure->frame[f].shown;
    if (figure->frame[f].slice) frame.slice = figure->frame[f].slice;
    return frame;
}

/* Compute the size that holds all frames and the figure itself. Three frames are in
 * memory at the same time, hence the limit. */
static bool measure_frames(const Figure *figure, const PictureOptions *options,
                           Arena *arena, Box *min, Error *error) {
    enum { PIXELS_MAX = 16 * 1024 * 1024 };
    Canvas *letters = image_new(arena, IMAGE_PNG, options);
    bool done = true;
    *min = (Box){0};
    for (int f = 0; done && f <= figure->frames; f++) {
        const Figure frame = frame_of(figure, f);
        Work work = {
            .figure = &frame, .canvas = letters, .arena = arena, .whole = true};
        done = figure_plan(&work, error);
        min->width = fmax(min->width, work.page.width);
        min->height = fmax(min->height, work.page.height);
    }
    picture_close(letters);
    if (!done) return false;
    double side = options->density > 0 ? options->density : 1;
    if (options->width > 0) side *= options->width / min->width;
    double pixels = min->width * min->height * side * side;
    return pixels <= PIXELS_MAX ||
           fail(error,
                "each frame would have %.0f million pixels, but the limit is %d "
                "million; choose a smaller --scale, or a part of the tensor",
                pixels / 1000 / 1000, PIXELS_MAX / 1000 / 1000);
}

static bool draw_animation(const Save *save, const PictureOptions *options,
                           const LibraryWarning *libraries, Error *error) {
    const double together = 8, min_delay = 0.1, max_delay = 0.8, rest = 2;
    const Figure *figure = save->figure;
    Apng apng = {.arena = save->arena};
    File file = {.save = save};
    Box min;
    if (!figure->frame)
        return fail(error, "an .apng is a moving picture: `draw decoding`, `draw "
                           "position` and the snapshots of a training move; use .png "
                           "for others");
    if (!measure_frames(figure, options, save->arena, &min, error)) return false;
    /* The requested delay, or one that makes all frames take about eight seconds; the
     * last one is shown longer. */
    double delay = fmin(fmax(together / (figure->frames + 1), min_delay), max_delay);
    if (figure->delay > 0) delay = figure->delay;
    bool done = true;
    for (int f = 0; done && f <= figure->frames; f++) {
        bool is_last = f == figure->frames;
        /* Free each frame's memory right away, since a picture takes megabytes. */
        Arena drawing = {0};
        Arena *arena = is_last ? save->arena : &drawing;
        const Figure frame = frame_of(figure, f);
        Work work = {.figure = &frame, .arena = arena, .whole = true};
        work.canvas = image_new(arena, IMAGE_PNG, options);
        image_min(work.canvas, min.width, min.height);
        done = figure_draw(&work, error);
        if (done) {
            const Pixels pixels = image_pixels(work.canvas);
            done = apng_add(&apng, &pixels, is_last ? delay + rest : delay, error);
            if (done && is_last)
                done = apng_write(&apng, &pixels, &work.facts, sink, &file) ||
                       (interrupt_none(error) &&
                        fail(error, "cannot write %s", save->path));
        }
        done = done && (!is_last || file_save(save->path, file.bytes, file.count,
                                              save->replace, error));
        if (done && is_last) *save->warning = warn(save, &work, libraries);
        picture_close(work.canvas);
        arena_free(&drawing);
    }
    return done;
}

bool figure_save(const Figure *figure, const char *path, bool replace, Arena *arena,
                 const char **warning, Error *error) {
    Save save = {figure, path, replace, arena, warning, false};
    const FigureLook *look = &figure->look;
    *warning = NULL;
    int f = 0;
    while (f < FILE_KINDS && !file_has_ending(path, file_endings[f])) f++;
    if (f == FILE_KINDS) {
        Builder endings = {.arena = arena};
        for (int i = 0; i < FILE_KINDS; i++)
            build_item(&endings, ", ", "%s", file_endings[i]);
        return fail(error, "%s: the ending sets the format of a figure; use one of %s",
                    path, builder_text(&endings));
    }
    if (f == FILE_TXT) {
        Work work = {.figure = figure, .arena = arena, .whole = true};
        work.canvas = grid_new(arena, TEXT_WIDTH, COLORS_NONE);
        if (!figure_draw(&work, error)) return false;
        Styled lines = {.text.arena = arena};
        grid_write(work.canvas, &lines);
        return file_save(path, lines.text.text, (size_t)lines.text.count, replace,
                         error);
    }
    /* Pixels of a PNG per unit along a side. */
    double density = look->width.on_paper ? (double)PRINT_DPI / UNITS_PER_INCH : 1;
    if (figure->pixels) density = figure->pixels;
    if (look->dpi) density = (double)look->dpi / UNITS_PER_INCH;
    PictureOptions options = {.density = density,
                              .width = look->width.units,
                              .font = look->font,
                              .theme = theme_named((ThemeName)look->theme)};
    LibraryWarning libraries = {""};
    bool saved = letters_listen(&libraries, error) &&
                 (!look->font || letters_check(look->font, error)) &&
                 letters_fit(&save, &options, error);
    if (saved && f == FILE_APNG) {
        saved = draw_animation(&save, &options, &libraries, error);
    } else if (saved) {
        Work work = {.figure = figure, .arena = arena, .whole = true};
        ImageKind kind = f == FILE_PDF   ? IMAGE_PDF
                         : f == FILE_SVG ? IMAGE_SVG
                                         : IMAGE_PNG;
        work.canvas = f == FILE_TEX ? tikz_new(arena, &options)
                      : f == FILE_SVG && look->text != LETTERS_OUTLINES
                          ? svg_new(arena, &options)
                          : image_new(arena, kind, &options);
        saved = figure_draw(&work, error);
        if (saved) work.facts.description = figure_describe(&work);
        saved = saved && picture_save(work.canvas, path, replace, &work.facts, error);
        if (saved) *warning = warn(&save, &work, &libraries);
        picture_close(work.canvas);
    }
    letters_listen_no_more();
    return saved;
}
