#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"
#include "view/animation.h"
#include "view/complaint.h"
#include "view/figure_work.h"
#include "view/font.h"
#include "view/image.h"

/* A .txt is so many letters wide. */
enum { TEXT_WIDTH = 120 };

typedef struct {
    const Figure *figure;
    const char *path;
    bool replace;
    Arena *arena;
    const char **warning;
} Save;

static bool save_text(const Save *save, int kind, Error *error) {
    (void)kind;
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    work.canvas = grid_new(save->arena, TEXT_WIDTH, COLORS_NONE);
    if (!figure_draw(&work, error)) return false;
    const char *text = grid_text(work.canvas, save->arena);
    return file_save(save->path, text, strlen(text), save->replace, error);
}

/* What is not as it should be in a picture that was saved, or NULL. */
static const char *warn(const Save *save, const Canvas *canvas,
                        const Complaint *complaint) {
    const char *path = unicode_escape(save->path, strlen(save->path), save->arena);
    const char *text;
    int missing = image_missing(canvas, &text);
    if (missing == 0) return complaint_print(complaint, path, save->arena);
    return say(save->arena,
               "%s: %d letters have no glyph here and are drawn as boxes; "
               "install a font that has them, such as %s",
               path, missing, font_package(text));
}

static bool save_image(const Save *save, int kind, Error *error) {
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    Complaint complaint = {""};
    complaint_listen(&complaint);
    work.canvas = image_new(save->arena, (ImageKind)kind,
                            save->figure->pixels > 0 ? save->figure->pixels : 1);
    bool saved = figure_draw(&work, error) &&
                 image_save(work.canvas, save->path, save->replace, &work.facts, error);
    if (saved) *save->warning = warn(save, work.canvas, &complaint);
    image_close(work.canvas);
    complaint_listen(NULL);
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

static bool save_animation(const Save *save, int kind, Error *error) {
    Work work = {.figure = save->figure, .arena = save->arena, .whole = true};
    Complaint complaint = {""};
    Apng apng = {.arena = save->arena};
    Box least;
    complaint_listen(&complaint);
    work.canvas = image_new(save->arena, (ImageKind)kind,
                            save->figure->pixels > 0 ? save->figure->pixels : 1);
    bool saved = animation_draw(save->figure, save->arena, &apng, &least, error);
    if (saved) image_least(work.canvas, least.width, least.height);
    saved =
        saved && figure_draw(&work, error) && write_frames(save, &apng, &work, error);
    if (saved) *save->warning = warn(save, work.canvas, &complaint);
    image_close(work.canvas);
    complaint_listen(NULL);
    return saved;
}

static const struct {
    const char *ending;
    bool (*save)(const Save *save, int kind, Error *error);
    int kind;
} formats[] = {
    {".png", save_image, IMAGE_PNG}, {".svg", save_image, IMAGE_SVG},
    {".pdf", save_image, IMAGE_PDF}, {".apng", save_animation, IMAGE_PNG},
    {".txt", save_text, 0},
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
            return formats[i].save(&save, formats[i].kind, error);
    return fail(error, "%s: a figure is saved by its ending, one of %s", path,
                figure_endings(arena));
}
