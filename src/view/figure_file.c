#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"
#include "view/animation.h"
#include "view/figure_work.h"
#include "view/image.h"
#include "view/svg.h"
#include "view/tikz.h"

/* A .txt is so many letters wide. */
enum { TEXT_WIDTH = 120 };

typedef struct {
    const Figure *figure;
    const char *path;
    bool replace;
    Arena *arena;
    const char **warning;
} Save;

/* One kind of file. */
typedef struct Format {
    const char *ending;
    /* Both NULL: letters. */
    Canvas *(*make)(Arena *arena, const FigureLook *look, const PictureWish *wish);
    bool (*draw)(const Save *save, const struct Format *format, const PictureWish *wish,
                 const LibraryWarning *libraries, Error *error);
} Format;

static bool save_text(const Save *save, Error *error) {
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    work.canvas = grid_new(save->arena, TEXT_WIDTH, COLORS_NONE);
    if (!figure_draw(&work, error)) return false;
    const char *text = grid_text(work.canvas, save->arena);
    return file_save(save->path, text, strlen(text), save->replace, error);
}

/* What is not as it should be in a picture that was saved, or NULL. */
static const char *warn(const Save *save, Canvas *canvas,
                        const LibraryWarning *libraries) {
    const char *path = unicode_escape(save->path, strlen(save->path), save->arena);
    const char *text;
    const Picture *picture = (Picture *)canvas;
    int missing = letters_missing(picture->letters, &text);
    if (missing == 0) return letters_warning(libraries, path, save->arena);
    if (picture->markup)
        return say(save->arena,
                   "%s: %d letters have no glyph here and may be boxes where it is "
                   "shown; a font that has them is %s",
                   path, missing, letters_package(text));
    return say(save->arena,
               "%s: %d letters have no glyph here and are drawn as boxes; "
               "install a font that has them, such as %s",
               path, missing, letters_package(text));
}

/* How large body text of `body` units is once the page is scaled to the wished width; 0
 * where it cannot be planned. */
static double scaled_body(const Save *save, const PictureWish *wish, double body,
                          Error *error) {
    PictureWish tried = *wish;
    tried.body = body;
    Arena arena = {0};
    Work work = {.figure = save->figure, .arena = &arena, .whole = true};
    work.canvas = image_new(&arena, IMAGE_PDF, &tried);
    bool planned = figure_plan(&work, error);
    double scaled = planned ? body * wish->width / ceil(work.page.width) : 0;
    picture_close(work.canvas);
    arena_free(&arena);
    return scaled;
}

/* A body that is scaled to `wanted` or little more, from one that is scaled to more:
 * the larger letters are the wider is what is scaled down, so what is sought lies
 * between two sizes that are halved again and again. */
static bool narrow_body(const Save *save, const PictureWish *wish, double wanted,
                        double *body, double *scaled, Error *error) {
    enum { HALVINGS = 10 };
    const double near_enough = 1.005;
    double least = 1;
    for (int i = 0; i < HALVINGS && *scaled >= near_enough * wanted; i++) {
        double tried = (least + *body) / 2;
        double becomes = scaled_body(save, wish, tried, error);
        if (becomes <= 0) return false;
        if (becomes < wanted) {
            least = tried;
            continue;
        }
        *body = tried;
        *scaled = becomes;
    }
    return true;
}

/* How large letters are before the picture is scaled, so that they are as large as
 * asked for afterwards. */
static bool letters_fit(const Save *save, PictureWish *wish, Error *error) {
    const double larger = 1.1;
    const FigureLook *look = &save->figure->look;
    double wanted = look->font_size * UNITS_PER_INCH / POINTS_PER_INCH;
    wish->body = wanted;
    if (wanted <= 0 || wish->width <= 0) return true;
    double body = 8 * LETTERS_BODY;
    double scaled = scaled_body(save, wish, body, error);
    if (scaled <= 0) return false;
    if (scaled < wanted)
        return fail(error,
                    "letters of %g points have no room in a picture %s wide: make it "
                    "wider, them smaller, or leave the caption out",
                    look->font_size, look->width.typed);
    if (!narrow_body(save, wish, wanted, &body, &scaled, error)) return false;
    wish->body = body;
    return scaled < larger * wanted ||
           fail(error,
                "letters of %g points would be larger in a picture %s wide: make it "
                "narrower, or them larger",
                look->font_size, look->width.typed);
}

/* What the look means for a picture. Fails on a font that is not here, or letters
 * without room. */
static bool make_wish(const Save *save, PictureWish *wish, Error *error) {
    const FigureLook *look = &save->figure->look;
    *wish = (PictureWish){.density = look_density(look, save->figure->pixels),
                          .width = look->width.units,
                          .font = look->font,
                          .theme = theme_named((ThemeName)look->theme)};
    return (!look->font || letters_check(look->font, error)) &&
           letters_fit(save, wish, error);
}

static bool draw_picture(const Save *save, const Format *format,
                         const PictureWish *wish, const LibraryWarning *libraries,
                         Error *error) {
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    work.canvas = format->make(save->arena, &save->figure->look, wish);
    bool saved = figure_draw(&work, error);
    if (saved) work.facts.description = figure_describe(&work);
    saved = saved &&
            picture_save(work.canvas, save->path, save->replace, &work.facts, error);
    if (saved) *save->warning = warn(save, work.canvas, libraries);
    picture_close(work.canvas);
    return saved;
}

typedef struct {
    const Save *save;
    unsigned char *bytes;
    size_t count;
    int capacity;
} File;

static bool sink(void *context, const unsigned char *bytes, size_t count) {
    enum { BYTES_MOST = 256 * 1024 * 1024 };
    File *file = context;
    if (count > BYTES_MOST - file->count) return false;
    while (file->count + count > (size_t)file->capacity)
        file->bytes = arena_grow(file->save->arena, file->bytes, (int)file->count,
                                 &file->capacity, 1);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}

/* The frames, behind the last of them as it stands still. */
static bool write_frames(const Save *save, Apng *apng, Work *work, Error *error) {
    const Pixels still = image_pixels(work->canvas);
    File file = {.save = save};
    double seconds = animation_delay(save->figure) + animation_rest;
    if (!apng_add(apng, &still, seconds, error)) return false;
    if (!apng_write(apng, &still, &work->facts, sink, &file))
        return interrupt_none(error) && fail(error, "cannot write %s", save->path);
    return file_save(save->path, file.bytes, file.count, save->replace, error);
}

static bool draw_animation(const Save *save, const Format *format,
                           const PictureWish *wish, const LibraryWarning *libraries,
                           Error *error) {
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    Apng apng = {.arena = save->arena};
    Box least;
    work.canvas = format->make(save->arena, &save->figure->look, wish);
    bool saved = animation_draw(save->figure, wish, save->arena, &apng, &least, error);
    if (saved) image_least(work.canvas, least.width, least.height);
    saved =
        saved && figure_draw(&work, error) && write_frames(save, &apng, &work, error);
    if (saved) *save->warning = warn(save, work.canvas, libraries);
    picture_close(work.canvas);
    return saved;
}

static bool save_picture(const Save *save, const Format *format, Error *error) {
    PictureWish wish;
    LibraryWarning libraries = {""};
    letters_listen(&libraries);
    bool saved = make_wish(save, &wish, error) &&
                 format->draw(save, format, &wish, &libraries, error);
    letters_listen(NULL);
    return saved;
}

static Canvas *make_png(Arena *arena, const FigureLook *look, const PictureWish *wish) {
    (void)look;
    return image_new(arena, IMAGE_PNG, wish);
}

static Canvas *make_pdf(Arena *arena, const FigureLook *look, const PictureWish *wish) {
    (void)look;
    return image_new(arena, IMAGE_PDF, wish);
}

static Canvas *make_svg(Arena *arena, const FigureLook *look, const PictureWish *wish) {
    return look->text == LETTERS_OUTLINES ? image_new(arena, IMAGE_SVG, wish)
                                          : svg_new(arena, wish);
}

static Canvas *make_tex(Arena *arena, const FigureLook *look, const PictureWish *wish) {
    (void)look;
    return tikz_new(arena, wish);
}

static const Format formats[] = {
    {".png", make_png, draw_picture},    {".svg", make_svg, draw_picture},
    {".pdf", make_pdf, draw_picture},    {".tex", make_tex, draw_picture},
    {".apng", make_png, draw_animation}, {".txt", NULL, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *figure_endings(Arena *arena) {
    const char *endings = "";
    for (int i = 0; i < FORMATS; i++)
        endings =
            arena_print(arena, "%s%s%s", endings, i ? ", " : "", formats[i].ending);
    return endings;
}

bool figure_save(const Figure *figure, const char *path, bool replace, Arena *arena,
                 const char **warning, Error *error) {
    Save save = {figure, path, replace, arena, warning};
    *warning = NULL;
    for (int i = 0; i < FORMATS; i++)
        if (file_has_ending(path, formats[i].ending))
            return formats[i].draw ? save_picture(&save, &formats[i], error)
                                   : save_text(&save, error);
    return fail(error, "%s: a figure is saved by its ending, one of %s", path,
                figure_endings(arena));
}
