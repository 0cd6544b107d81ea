#include "canvas/picture.h"

#include <math.h>

#include "base/file.h"

static double measure(Canvas *canvas, Style style, const char *text) {
    return letters_run(((Picture *)canvas)->letters, style, text)->width;
}

static void hatch(Canvas *canvas, Box box) {
    static const double min = 4;
    Picture *picture = (Picture *)canvas;
    canvas->fill(canvas, box, canvas->theme->hatch);
    if (box.width < min || box.height < min) return;
    picture->is_hatched = true;
    picture->strokes(picture, box);
}

void picture_start(Picture *picture, Arena *arena, const PictureOptions *options,
                   bool whole) {
    picture->options = *options;
    if (!picture->options.theme) picture->options.theme = theme_named(THEME_LIGHT);
    if (picture->options.density <= 0) picture->options.density = 1;
    picture->letters = letters_new(arena, options->font, options->body, whole);
    double times = picture->letters->body / LETTERS_BODY;
    picture->canvas = (Canvas){.metrics = {.line = LETTERS_LINE * times,
                                           .letter = 7.4 * times,
                                           .gap = 8,
                                           .margin = 18,
                                           .min = options->min,
                                           .room = options->room,
                                           .colors = true},
                               .arena = arena,
                               .theme = picture->options.theme,
                               .hatch = hatch,
                               .measure = measure};
    picture->factor = 1;
}

bool picture_size(Picture *picture, double width, double height, double density,
                  Error *error) {
    picture->width = ceil(fmax(width, picture->width));
    picture->height = ceil(fmax(height, picture->height));
    if (picture->options.width > 0)
        picture->factor = picture->options.width / picture->width;
    double across = picture->width * density * picture->factor;
    double down = picture->height * density * picture->factor;
    return (fmax(across, down) <= IMAGE_SIDE_MAX &&
            across * down <= IMAGE_PIXELS_MAX) ||
           fail(error,
                "the picture would have %.0f x %.0f pixels, but the limit is %d per "
                "side and %d million in total; choose a part of the tensor, or a "
                "smaller size",
                across, down, IMAGE_SIDE_MAX, IMAGE_PIXELS_MAX / 1000 / 1000);
}

const TextRun *picture_run(Picture *picture, Style style, const char *text,
                           double *left) {
    Letters *letters = picture->letters;
    TextRun *run = letters_run(letters, style, text);
    letters->missing += run->missing;
    if (run->missing) letters->lacking = run->text;
    run->missing = 0; /* count each text once */
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    *left = -part * run->width;
    return run;
}

Color picture_ink(const Picture *picture, Style style) {
    const Theme *theme = picture->options.theme;
    if (style.color) return *style.color;
    return style.faint ? theme->faint : theme->ink;
}

Builder *picture_body(Canvas *canvas) {
    Picture *picture = (Picture *)canvas;
    return picture->body.count < picture->markup->bytes_max ? &picture->body : NULL;
}

static bool begin_text(Canvas *canvas, double width, double height, Error *error) {
    return picture_size((Picture *)canvas, width, height, 1, error);
}

static bool save_text(Picture *picture, const char *path, bool replace,
                      const Facts *facts, Error *error) {
    if (!picture_body(&picture->canvas))
        return fail(error, "cannot write %s: it would have more than %d bytes", path,
                    picture->markup->bytes_max);
    Builder out = {.arena = picture->canvas.arena};
    picture->markup->head(picture, facts, &out);
    build_text(&out, builder_text(&picture->body));
    build_text(&out, picture->markup->tail);
    return file_save(path, out.text, (size_t)out.count, replace, error);
}

Canvas *picture_of_text(Arena *arena, const PictureOptions *options,
                        const Markup *markup) {
    Picture *picture = ARENA_ARRAY(arena, Picture, 1);
    picture_start(picture, arena, options, false);
    picture->canvas.begin = begin_text;
    picture->canvas.fill = markup->fill;
    picture->canvas.line = markup->line;
    picture->canvas.text = markup->text;
    picture->strokes = markup->strokes;
    picture->save = save_text;
    picture->markup = markup;
    picture->body.arena = arena;
    return &picture->canvas;
}

bool picture_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                  Error *error) {
    Picture *picture = (Picture *)canvas;
    return picture->save(picture, path, replace, facts, error);
}

void picture_close(Canvas *canvas) {
    Picture *picture = (Picture *)canvas;
    if (picture->close) picture->close(picture);
    letters_close(picture->letters);
}
