#include "view/image.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "base/file.h"
#include "view/palette.h"
#include "view/png.h"

/* The first family here that has a letter draws it; all but the last have Hangul.
 */
static const char families[] = "Noto Sans CJK KR, NanumBarunGothic, NanumGothic, sans";

enum { BODY = 13, LINE = 19, RUNS = 1024, BYTES_MOST = 256 * 1024 * 1024 };

/* A text that was laid out once and may be drawn many times. */
typedef struct {
    const char *text;
    double size;
    bool bold;
    PangoLayout *layout;
    double width, height;
    int missing; /* letters without a glyph, until they are counted */
} TextRun;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also an Image * */
    Arena *arena;
    ImageKind kind;
    int scale;
    double width, height;
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoContext *context;
    TextRun *run[RUNS];
    int missing;
    const char *lacking; /* a text of which letters are missing */
    char *bytes;         /* the file */
    int count, capacity;
} Image;

static cairo_status_t append(void *context, const unsigned char *bytes,
                             unsigned int count) {
    Image *image = context;
    if (count > BYTES_MOST - (unsigned)image->count) return CAIRO_STATUS_WRITE_ERROR;
    while (image->count + (int)count > image->capacity)
        image->bytes =
            arena_grow(image->arena, image->bytes, image->count, &image->capacity, 1);
    memcpy(image->bytes + image->count, bytes, count);
    image->count += (int)count;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *open_surface(Image *image) {
    if (image->kind == IMAGE_SVG) {
        cairo_surface_t *svg = cairo_svg_surface_create_for_stream(
            append, image, image->width, image->height);
        cairo_svg_surface_set_document_unit(svg, CAIRO_SVG_UNIT_PX);
        return svg;
    }
    if (image->kind == IMAGE_PDF)
        return cairo_pdf_surface_create_for_stream(append, image, image->width,
                                                   image->height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                      (int)image->width * image->scale,
                                      (int)image->height * image->scale);
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    Image *image = (Image *)canvas;
    image->width = ceil(fmax(width, image->width));
    image->height = ceil(fmax(height, image->height));
    double across = image->width * image->scale;
    double down = image->height * image->scale;
    if (fmax(across, down) > IMAGE_SIDE_MOST || across * down > IMAGE_PIXELS_MOST)
        return fail(error,
                    "the picture would have %.0f x %.0f pixels, and at most %d a side "
                    "and %d million in all are drawn: choose a part of the tensor",
                    across, down, IMAGE_SIDE_MOST, IMAGE_PIXELS_MOST / 1000 / 1000);
    image->surface = open_surface(image);
    image->cairo = cairo_create(image->surface);
    if (image->kind == IMAGE_PNG) cairo_scale(image->cairo, image->scale, image->scale);
    canvas->fill(canvas, (Box){0, 0, image->width, image->height}, color_white);
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

static void hatch(Canvas *canvas, Box box) {
    cairo_t *cairo = ((Image *)canvas)->cairo;
    fill(canvas, box, (Color){0.93, 0.93, 0.93});
    if (box.width < 4 || box.height < 4) return;
    cairo_save(cairo);
    cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
    cairo_clip(cairo);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    set_color(cairo, (Color){0.66, 0.66, 0.66});
    cairo_set_line_width(cairo, 1);
    int strokes = (int)((box.width + box.height) / 6) + 1;
    for (int i = 0; i < strokes; i++) {
        double x = box.x - box.height + 3 + 6 * i;
        cairo_move_to(cairo, x, box.y + box.height);
        cairo_line_to(cairo, x + box.height, box.y);
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    static const double on_off[STROKE_DASHES][4] = {
        {0}, {8, 4, 8, 4}, {2, 3, 2, 3}, {9, 3, 2, 3}, {14, 5, 14, 5}};
    cairo_t *cairo = ((Image *)canvas)->cairo;
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    set_color(cairo, stroke.color);
    cairo_set_line_width(cairo, stroke.width);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    /* One point alone is a dot: a line of no length with round ends. */
    cairo_set_line_cap(cairo, count == 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cairo, on_off[stroke.dash], stroke.dash ? 4 : 0, 0);
    cairo_move_to(cairo, point[0].x, point[0].y);
    for (int i = count > 1; i < count; i++)
        cairo_line_to(cairo, point[i].x, point[i].y);
    cairo_stroke(cairo);
}

static void start_pango(Image *image) {
    image->context = pango_font_map_create_context(pango_cairo_font_map_get_default());
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(image->context, options);
    cairo_font_options_destroy(options);
    /* Cairo draws glyphs on whole pixels; lines and curves may stand anywhere. */
    pango_context_set_round_glyph_positions(image->context, image->kind == IMAGE_PNG);
    pango_context_set_language(image->context, pango_language_from_string("ko"));
}

static TextRun *lay_out(Image *image, Style style, const char *text) {
    if (!image->context) start_pango(image);
    TextRun *run = ARENA_ARRAY(image->arena, TextRun, 1);
    *run = (TextRun){.text = arena_copy(image->arena, text, strlen(text)),
                     .size = style.size,
                     .bold = style.bold};
    run->layout = pango_layout_new(image->context);
    PangoFontDescription *font = pango_font_description_from_string(families);
    pango_font_description_set_absolute_size(
        font, BODY * (style.size > 0 ? style.size : 1) * PANGO_SCALE);
    if (style.bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(run->layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(run->layout, TRUE);
    pango_layout_set_text(run->layout, text, -1);
    PangoRectangle box;
    pango_layout_get_extents(run->layout, NULL, &box);
    run->width = pango_units_to_double(box.width);
    run->height = pango_units_to_double(box.height);
    run->missing = pango_layout_get_unknown_glyphs_count(run->layout);
    return run;
}

/* The run of `text`, from the table or new. The table is a cache: a full one forgets.
 */
static TextRun *find_run(Image *image, Style style, const char *text) {
    unsigned place = (unsigned)(style.size * 64) * 2 + style.bold;
    for (const char *c = text; *c; c++) place = place * 31 + (unsigned char)*c;
    for (unsigned step = 0;; step++) {
        TextRun **run = &image->run[(place + step) % RUNS];
        bool last = step == 7;
        if (*run && (*run)->size == style.size && (*run)->bold == style.bold &&
            strcmp((*run)->text, text) == 0)
            return *run;
        if (*run && !last) continue;
        if (*run) g_object_unref((*run)->layout);
        return *run = lay_out(image, style, text);
    }
}

static double measure(Canvas *canvas, Style style, const char *text) {
    return find_run((Image *)canvas, style, text)->width;
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    Image *image = (Image *)canvas;
    TextRun *run = find_run(image, style, text);
    image->missing += run->missing;
    if (run->missing) image->lacking = run->text;
    run->missing = 0;
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    Color plain = style.faint ? color_grey : color_black;
    set_color(image->cairo, style.color ? *style.color : plain);
    if (style.angle == 0) {
        cairo_move_to(image->cairo, at.x - part * run->width, at.y - run->height / 2);
        pango_cairo_show_layout(image->cairo, run->layout);
        return;
    }
    cairo_save(image->cairo);
    cairo_translate(image->cairo, at.x, at.y);
    cairo_rotate(image->cairo, -style.angle * G_PI / 180);
    cairo_move_to(image->cairo, -part * run->width, -run->height / 2);
    pango_cairo_show_layout(image->cairo, run->layout);
    cairo_restore(image->cairo);
}

Canvas *image_new(Arena *arena, ImageKind kind, int scale) {
    Image *image = ARENA_ARRAY(arena, Image, 1);
    image->canvas = (Canvas){
        .metrics =
            {.line = LINE, .letter = 7.4, .gap = 8, .margin = 18, .colors = true},
        .begin = begin,
        .fill = fill,
        .hatch = hatch,
        .line = line,
        .text = text,
        .measure = measure,
    };
    image->arena = arena;
    image->kind = kind;
    image->scale = scale;
    return &image->canvas;
}

static bool sink(void *context, const unsigned char *bytes, size_t count) {
    return append(context, bytes, (unsigned)count) == CAIRO_STATUS_SUCCESS;
}

void image_least(Canvas *canvas, double width, double height) {
    Image *image = (Image *)canvas;
    image->width = width;
    image->height = height;
}

Pixels image_pixels(Canvas *canvas) {
    const Image *image = (const Image *)canvas;
    cairo_surface_flush(image->surface);
    return (Pixels){.bytes = cairo_image_surface_get_data(image->surface),
                    .width = (int)image->width * image->scale,
                    .height = (int)image->height * image->scale,
                    .stride = cairo_image_surface_get_stride(image->surface),
                    .scale = image->scale};
}

static bool finish_png(Image *image, const Facts *facts) {
    const Pixels pixels = image_pixels(&image->canvas);
    return png_write(&pixels, facts, NULL, sink, image, image->arena);
}

static bool finish_pdf(Image *image, const Facts *facts) {
    cairo_surface_t *pdf = image->surface;
    const char *subject = fact_lines(facts, image->arena);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, facts->title);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_SUBJECT, subject);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATOR, "glassbox");
    /* No date: the same command makes the same file. */
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    cairo_surface_finish(pdf);
    return true;
}

static bool finish_svg(Image *image, const Facts *facts) {
    cairo_surface_finish(image->surface);
    if (!sink(image, (const unsigned char *)"", 1)) return false;
    char *svg = fact_in_svg(image->bytes, facts, image->arena);
    if (!svg) return false;
    image->bytes = svg;
    image->count = (int)strlen(svg);
    return true;
}

bool image_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                Error *error) {
    static bool (*const finish[])(Image *, const Facts *) = {
        [IMAGE_PNG] = finish_png, [IMAGE_SVG] = finish_svg, [IMAGE_PDF] = finish_pdf};
    Image *image = (Image *)canvas;
    cairo_status_t status = cairo_status(image->cairo);
    bool made = status == CAIRO_STATUS_SUCCESS && finish[image->kind](image, facts);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(image->surface);
    if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_WRITE_ERROR)
        return fail(error, "cannot draw %s: %s", path, cairo_status_to_string(status));
    if (!made || status != CAIRO_STATUS_SUCCESS)
        return fail(error, "cannot write %s: it would have more than %d bytes", path,
                    BYTES_MOST);
    return file_save(path, image->bytes, (size_t)image->count, replace, error);
}

int image_missing(const Canvas *canvas, const char **text) {
    *text = ((const Image *)canvas)->lacking;
    return ((const Image *)canvas)->missing;
}

void image_close(Canvas *canvas) {
    Image *image = (Image *)canvas;
    for (int i = 0; i < RUNS; i++)
        if (image->run[i]) g_object_unref(image->run[i]->layout);
    if (image->context) g_object_unref(image->context);
    if (image->cairo) cairo_destroy(image->cairo);
    if (image->surface) cairo_surface_destroy(image->surface);
}
