#include "canvas/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "canvas/drawing_calls.h"
#include "text/unicode.h"

/* The structure of a PDF page: one figure, which has the alternative text. */
static const char *const elements[] = {"Document", "Figure"};
enum { ELEMENTS = sizeof elements / sizeof *elements };

enum { BYTES_MAX = 256 * 1024 * 1024 };

typedef struct {
    Picture picture; /* first, so that a Canvas * is also an Image * */
    ImageKind kind;
    cairo_surface_t *surface;
    cairo_t *cairo;
    double unit; /* size of a unit on the surface */
    char *bytes; /* the contents of the file */
    int count, capacity;
} Image;

static cairo_status_t append(void *context, const unsigned char *bytes,
                             unsigned int count) {
    Image *image = context;
    if (count > BYTES_MAX - (unsigned)image->count) return CAIRO_STATUS_WRITE_ERROR;
    while (image->count + (int)count > image->capacity)
        image->bytes = arena_grow(image->picture.canvas.arena, image->bytes,
                                  image->count, &image->capacity, 1);
    memcpy(image->bytes + image->count, bytes, count);
    image->count += (int)count;
    return CAIRO_STATUS_SUCCESS;
}

/* Return the size of a drawing unit in the units of the file: pixels, or points. */
static double unit_of(const Image *image) {
    double unit = image->picture.factor;
    if (image->kind == IMAGE_PNG) unit *= image->picture.options.density;
    if (image->kind == IMAGE_PDF) unit *= (double)POINTS_PER_INCH / UNITS_PER_INCH;
    return unit;
}

static cairo_surface_t *new_pixels(const Image *image, double across, double down) {
    bool opaque = image->picture.options.theme->has_paper;
    return cairo_image_surface_create(opaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
                                      (int)fmax(round(across), 1),
                                      (int)fmax(round(down), 1));
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    Image *image = (Image *)canvas;
    Picture *picture = &image->picture;
    bool pixels = image->kind == IMAGE_PNG;
    double density = pixels ? picture->options.density : 1;
    if (!picture_size(picture, width, height, density, error)) return false;
    /* Cells have sharp edges. If a unit is one and a half pixels, cells would get
     * different widths, so draw the picture with more pixels and scale it down at the
     * end. */
    static const double coarse = 2;
    double unit = unit_of(image);
    bool even = unit == floor(unit) || unit > coarse;
    image->unit = !pixels || even ? unit : ceil(2 * unit);
    /* Check the larger size as well. */
    if (pixels &&
        !picture_size(picture, width, height, image->unit / picture->factor, error))
        return false;
    double across = picture->width * image->unit;
    double down = picture->height * image->unit;
    if (pixels)
        image->surface = new_pixels(image, across, down);
    else if (image->kind == IMAGE_PDF)
        image->surface =
            cairo_pdf_surface_create_for_stream(append, image, across, down);
    else {
        image->surface =
            cairo_svg_surface_create_for_stream(append, image, across, down);
        cairo_svg_surface_set_document_unit(image->surface, CAIRO_SVG_UNIT_PX);
    }
    image->cairo = cairo_create(image->surface);
    if (image->unit != 1) cairo_scale(image->cairo, image->unit, image->unit);
    /* One unit larger than the page, so that no edge stays transparent. */
    if (picture->options.theme->has_paper)
        canvas->fill(canvas, (Box){0, 0, picture->width + 1, picture->height + 1},
                     picture->options.theme->paper);
    /* After the paper: when something covers a whole page, Cairo drops the drawing
     * operations before it. */
    for (size_t e = 0; image->kind == IMAGE_PDF && e < ELEMENTS; e++)
        cairo_tag_begin(image->cairo, elements[e], NULL);
    return true;
}

static void set_color(cairo_t *cairo, Color color) {
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
}

static void fill(Canvas *canvas, Box box, Color color) {
    cairo_t *cairo = ((Image *)canvas)->cairo;
    set_color(cairo, color);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
    cairo_fill(cairo);
}

/* One stroke every 6 units, from lower left to upper right. */
static void strokes(Picture *picture, Box box) {
    cairo_t *cairo = ((Image *)picture)->cairo;
    cairo_save(cairo);
    cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
    cairo_clip(cairo);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    set_color(cairo, picture->options.theme->stroke);
    cairo_set_line_width(cairo, 1);
    int count = (int)((box.width + box.height) / 6) + 1;
    for (int i = 0; i < count; i++) {
        double x = box.x - box.height + 3 + 6 * i;
        cairo_move_to(cairo, x, box.y + box.height);
        cairo_line_to(cairo, x + box.height, box.y);
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    cairo_t *cairo = ((Image *)canvas)->cairo;
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    set_color(cairo, theme_color(canvas->theme, stroke.color));
    cairo_set_line_width(cairo, stroke.width);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    /* A single point is a dot: a line of length zero with round ends. */
    cairo_set_line_cap(cairo, count == 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cairo, stroke_dashes[stroke.dash], stroke.dash ? 4 : 0, 0);
    cairo_move_to(cairo, point[0].x, point[0].y);
    for (int i = count > 1; i < count; i++)
        cairo_line_to(cairo, point[i].x, point[i].y);
    cairo_stroke(cairo);
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    Image *image = (Image *)canvas;
    double left;
    const TextRun *run = picture_run(&image->picture, style, text, &left);
    set_color(image->cairo, picture_ink(&image->picture, style));
    if (style.angle == 0) {
        cairo_move_to(image->cairo, at.x + left, at.y - run->height / 2);
        letters_show(run, image->cairo);
        return;
    }
    cairo_save(image->cairo);
    cairo_translate(image->cairo, at.x, at.y);
    cairo_rotate(image->cairo, -style.angle * acos(-1) / 180);
    cairo_move_to(image->cairo, left, -run->height / 2);
    letters_show(run, image->cairo);
    cairo_restore(image->cairo);
}

static bool sink(void *context, const unsigned char *bytes, size_t count) {
    return append(context, bytes, (unsigned)count) == CAIRO_STATUS_SUCCESS;
}

void image_min(Canvas *canvas, double width, double height) {
    Picture *picture = (Picture *)canvas;
    picture->width = width;
    picture->height = height;
}

Pixels image_pixels(Canvas *canvas) {
    Image *image = (Image *)canvas;
    double unit = unit_of(image);
    cairo_surface_flush(image->surface);
    if (image->unit != unit) { /* scale down to the requested size */
        double part = unit / image->unit;
        cairo_surface_t *small =
            new_pixels(image, cairo_image_surface_get_width(image->surface) * part,
                       cairo_image_surface_get_height(image->surface) * part);
        cairo_t *cairo = cairo_create(small);
        cairo_scale(cairo, part, part);
        cairo_set_source_surface(cairo, image->surface, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD);
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
        cairo_paint(cairo);
        cairo_destroy(cairo);
        cairo_surface_destroy(image->surface);
        image->surface = small;
    }
    image->unit = unit;
    cairo_surface_flush(image->surface);
    return (Pixels){.bytes = cairo_image_surface_get_data(image->surface),
                    .width = cairo_image_surface_get_width(image->surface),
                    .height = cairo_image_surface_get_height(image->surface),
                    .stride = cairo_image_surface_get_stride(image->surface),
                    .density = image->picture.options.density,
                    .has_alpha = !image->picture.options.theme->has_paper};
}

/* An object in the file: its number, and its dictionary without the closing bytes. */
typedef struct {
    int number;
    const char *text;
    int length;
} Object;

/* Return the last position of `what` before `end`, or NULL. Streams may contain it as
 * well, but the objects that we look for come after them. */
static const char *find_last(const char *bytes, const char *end, const char *what) {
    size_t length = strlen(what);
    for (const char *c = end - length; c >= bytes; c--)
        if (memcmp(c, what, length) == 0) return c;
    return NULL;
}

/* Find the object whose dictionary contains `at`. */
static bool object_around(const char *bytes, const char *at, const char *end,
                          Object *object) {
    static const char begin[] = " 0 obj\n<<", close[] = "\n>>\nendobj";
    const char *head = find_last(bytes, at, begin);
    const char *tail = memmem(at, (size_t)(end - at), close, strlen(close));
    if (!head || !tail) return false;
    const char *number = head;
    while (number > bytes && number[-1] >= '0' && number[-1] <= '9') number--;
    object->number = (int)strtol(number, NULL, 10);
    object->text = head + strlen(begin) - 2;
    object->length = (int)(tail - object->text);
    return object->number > 0;
}

/* Write a PDF string that is not ASCII: UTF-16, big endian. */
static void write_utf16(const char *text, Builder *out) {
    build(out, "<FEFF");
    for (int bytes; *text; text += bytes) {
        int letter = unicode_decode(text, strlen(text), &bytes);
        if (letter < 0x10000)
            build(out, "%04X", (unsigned)letter);
        else
            build(out, "%04X%04X", 0xD800U + ((unsigned)(letter - 0x10000) >> 10),
                  0xDC00U + ((unsigned)(letter - 0x10000) & 0x3FF));
    }
    build(out, ">");
}

/* Write the object again without its end, so that entries can be added. Returns its
 * offset in a file of `before` bytes. */
static int write_begin(const Object *object, int before, Builder *out) {
    int place = before + out->count;
    build(out, "%d 0 obj\n%.*s", object->number, object->length, object->text);
    return place;
}

const char *image_pdf_update(const char *bytes, int count, const Facts *facts,
                             const char *language, Arena *arena) {
    static const char table_at[] = "startxref\n";
    const char *end = bytes + count;
    const char *element = find_last(bytes, end, "/Type /StructElem\n   /S /Figure");
    const char *root = find_last(bytes, end, "/Type /Catalog");
    const char *trailer = find_last(bytes, end, "trailer\n");
    const char *table = find_last(bytes, end, table_at);
    Object object[2];
    Builder out = {.arena = arena};
    if (!element || !root || !trailer || !table || table < trailer ||
        !object_around(bytes, element, end, &object[0]) ||
        !object_around(bytes, root, end, &object[1]))
        return "";
    const char *close = find_last(trailer, table, ">>");
    if (!close) return "";
    int place[2];
    place[0] = write_begin(&object[0], count, &out);
    build(&out, "\n   /Alt ");
    write_utf16(arena_print(arena, "%s. %s", facts->title,
                            facts->description ? facts->description : ""),
                &out);
    build(&out, "\n>>\nendobj\n");
    place[1] = write_begin(&object[1], count, &out);
    build(&out,
          "\n   /Lang (%s)"
          "\n   /ViewerPreferences << /DisplayDocTitle true >>\n>>\nendobj\n",
          language);
    /* The cross-reference table of the two objects, and the old trailer with the offset
     * of the previous table. */
    int start = count + out.count;
    build(&out, "xref\n");
    for (int i = 0; i < 2; i++)
        build(&out, "%d 1\n%010d 00000 n \n", object[i].number, place[i]);
    build(&out, "%.*s   /Prev %ld\n>>\nstartxref\n%d\n%%%%EOF\n",
          (int)(close - trailer), trailer, strtol(table + strlen(table_at), NULL, 10),
          start);
    return builder_text(&out);
}

/* Complete the contents of the file. */
static bool finish(Image *image, const Facts *facts) {
    Arena *arena = image->picture.canvas.arena;
    if (image->kind == IMAGE_PNG) {
        const Pixels pixels = image_pixels(&image->picture.canvas);
        return pixels.bytes && png_write(&pixels, facts, NULL, sink, image, arena);
    }
    cairo_surface_t *surface = image->surface;
    if (image->kind == IMAGE_SVG) {
        cairo_surface_finish(surface);
        if (!sink(image, (const unsigned char *)"", 1)) return false;
        image->bytes = svg_add_facts(image->bytes, facts, arena);
        image->count = image->bytes ? (int)strlen(image->bytes) : 0;
        return image->bytes != NULL;
    }
    for (size_t e = ELEMENTS; e-- > 0;) cairo_tag_end(image->cairo, elements[e]);
    Builder subject = {.arena = arena};
    for (int i = 0; i < facts->count; i++)
        build_item(&subject, "\n", "%s: %s", facts->fact[i].name, facts->fact[i].value);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, facts->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT,
                                   builder_text(&subject));
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "glassbox");
    /* No date, so that the same command makes the same file. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    cairo_surface_finish(surface);
    const char *update =
        image_pdf_update(image->bytes, image->count, facts, language_name(), arena);
    return sink(image, (const unsigned char *)update, strlen(update));
}

static bool save(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error) {
    Image *image = (Image *)picture;
    cairo_status_t status = cairo_status(image->cairo);
    bool made = status == CAIRO_STATUS_SUCCESS && finish(image, facts);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(image->surface);
    if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_WRITE_ERROR)
        return fail(error, "cannot draw %s: %s", path, cairo_status_to_string(status));
    if (!made || status != CAIRO_STATUS_SUCCESS)
        return fail(error, "cannot write %s: it would have more than %d bytes", path,
                    BYTES_MAX);
    return file_save(path, image->bytes, (size_t)image->count, replace, error);
}

static void release(Picture *picture) {
    Image *image = (Image *)picture;
    if (image->cairo) cairo_destroy(image->cairo);
    if (image->surface) cairo_surface_destroy(image->surface);
}

Canvas *image_new(Arena *arena, ImageKind kind, const PictureOptions *options) {
    Image *image = ARENA_ARRAY(arena, Image, 1);
    bool whole = options->width <= 0 && options->density == floor(options->density);
    picture_start(&image->picture, arena, options, kind == IMAGE_PNG && whole);
    Canvas *canvas = &image->picture.canvas;
    canvas->begin = begin;
    canvas->fill = fill;
    canvas->line = line;
    canvas->text = text;
    image->picture.strokes = strokes;
    image->picture.save = save;
    image->picture.close = release;
    image->kind = kind;
    return canvas;
}
