#include "view/web.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/figure_work.h"
#include "view/letters.h"
#include "view/palette.h"

/* Bytes of a text that is longer than a number. */
enum { LONG = 7 };

const char web_hatching[] =
    "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"hidden\"><defs>"
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"ground\" d=\"M0 0h6v6h-6z\"/>"
    "<path class=\"strokes\" d=\"M-1 7L7-1M-1 1L1-1M5 7L7 "
    "5\"/></pattern></defs></svg>\n";

/* A box of one colour, and as which one it was filled. */
typedef struct {
    unsigned color; /* 0xRRGGBB */
    int number;
    Box box;
} Filled;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Web * */
    Canvas *letters;
    Builder *svg;
    int table; /* of the next matrix */
    double width, height;
    Filled *filled; /* one after the other, with nothing between: not yet written */
    int count, capacity;
} Web;

/* With one decimal, or none: "12.5", "12". */
static void number(Builder *svg, double value) {
    long tenths = lround(value * 10);
    build(svg, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10) build(svg, ".%ld", labs(tenths) % 10);
}

static void attribute(Builder *svg, const char *name, double value) {
    build(svg, " %s=\"", name);
    number(svg, value);
    build_text(svg, "\"");
}

static unsigned byte_of(double share) {
    return (unsigned)lround(fmin(fmax(share, 0), 1) * 255);
}

static unsigned word_of(Color color) {
    return byte_of(color.red) << 16 | byte_of(color.green) << 8 | byte_of(color.blue);
}

static void color_attribute(Builder *svg, const char *name, Color color) {
    build(svg, " %s=\"#%06x\"", name, word_of(color));
}

static bool is_same(Color a, Color b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    (void)error;
    Web *web = (Web *)canvas;
    web->width = ceil(width);
    web->height = ceil(height);
    return true;
}

static void box_path(Builder *svg, Box box) {
    build_text(svg, "M");
    number(svg, box.x);
    build_text(svg, " ");
    number(svg, box.y);
    build_text(svg, "h");
    number(svg, box.width);
    build_text(svg, "v");
    number(svg, box.height);
    build_text(svg, "h");
    number(svg, -box.width);
    build_text(svg, "z");
}

static int by_color(const void *one, const void *other) {
    const Filled *a = one;
    const Filled *b = other;
    if (a->color != b->color) return a->color < b->color ? -1 : 1;
    return a->number - b->number;
}

/* Many boxes in a row are cells of a matrix, which lie beside each other: those of one
 * colour are one path, since a browser is slow with tens of thousands of them. */
static Builder *written(Canvas *canvas) {
    enum { MANY = 64 };
    Web *web = (Web *)canvas;
    if (web->count >= MANY)
        qsort(web->filled, (size_t)web->count, sizeof *web->filled, by_color);
    for (int f = 0; f < web->count; f++) {
        const Filled *filled = &web->filled[f];
        bool joins = web->count >= MANY && f > 0 && filled->color == filled[-1].color;
        if (!joins)
            build(web->svg, "%s<path fill=\"#%06x\" d=\"", f ? "\"/>" : "",
                  filled->color);
        box_path(web->svg, filled->box);
    }
    if (web->count) build_text(web->svg, "\"/>");
    web->count = 0;
    return web->svg;
}

static void fill(Canvas *canvas, Box box, Color color) {
    Web *web = (Web *)canvas;
    ARENA_GROW(web->svg->arena, web->filled, web->count, web->capacity);
    web->filled[web->count] = (Filled){word_of(color), web->count, box};
    web->count++;
}

static void hatch(Canvas *canvas, Box box) {
    Builder *svg = written(canvas);
    build_text(svg, "<path fill=\"url(#hatch)\" d=\"");
    box_path(svg, box);
    build_text(svg, "\"/>");
}

/* Black, grey and light lines are drawn in the inks of the page. */
static void stroke_attribute(Builder *svg, Color color) {
    if (is_same(color, color_black))
        build_text(svg, " class=\"ink\"");
    else if (is_same(color, color_grey))
        build_text(svg, " class=\"soft\"");
    else if (is_same(color, color_light))
        build_text(svg, " class=\"light\"");
    else
        color_attribute(svg, "stroke", color);
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    const double *dash = stroke_dashes[stroke.dash];
    Builder *svg = written(canvas);
    build_text(svg, "<polyline");
    stroke_attribute(svg, stroke.color);
    attribute(svg, "stroke-width", stroke.width);
    if (stroke.dash)
        build(svg, " stroke-dasharray=\"%g %g %g %g\"", dash[0], dash[1], dash[2],
              dash[3]);
    if (count == 1) build_text(svg, " stroke-linecap=\"round\"");
    build_text(svg, " points=\"");
    /* One point alone is a dot: a line of no length. */
    for (int i = 0; i < count + (count == 1); i++) {
        if (i) build_text(svg, " ");
        number(svg, point[i < count ? i : 0].x);
        build_text(svg, ",");
        number(svg, point[i < count ? i : 0].y);
    }
    build_text(svg, "\"/>");
}

/* The inks of numbers on coloured cells: see palette_ink(). */
static const Color ink_black = {0, 0, 0}, ink_white = {1, 1, 1};

static bool is_ink(const Color *color, Color ink) {
    return color && is_same(*color, ink);
}

/* "m b": how the text stands. */
static void class_attribute(Builder *svg, const Style *style) {
    const bool has[] = {style->align == ALIGN_MIDDLE,
                        style->align == ALIGN_END,
                        style->bold,
                        style->faint && !style->color,
                        is_ink(style->color, ink_black),
                        is_ink(style->color, ink_white)};
    int written = 0;
    for (int c = 0; c < 6; c++)
        if (has[c]) build(svg, "%s%c", written++ ? " " : " class=\"", "mebfkw"[c]);
    if (written) build_text(svg, "\"");
}

static double measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Web *)canvas)->letters;
    return letters->measure(letters, style, text);
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    if (!*text) return;
    Builder *svg = written(canvas);
    build_text(svg, "<text");
    class_attribute(svg, &style);
    if (style.color && !is_ink(style.color, ink_black) &&
        !is_ink(style.color, ink_white))
        color_attribute(svg, "fill", *style.color);
    attribute(svg, "x", at.x);
    attribute(svg, "y", at.y);
    if (style.size > 0 && style.size != 1)
        attribute(svg, "font-size", LETTERS_BODY * style.size);
    if (strlen(text) >= LONG) { /* as wide as it was planned, whatever the font */
        attribute(svg, "textLength", measure(canvas, style, text));
        build_text(svg, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    if (style.angle != 0)
        build(svg, " transform=\"rotate(%.6g %.6g %.6g)\"", -style.angle, at.x, at.y);
    build_text(svg, ">");
    build_text(svg, xml_escape(text, svg->arena));
    build_text(svg, "</text>");
}

static void cells(Canvas *canvas, Box box, int rows, int columns) {
    Web *web = (Web *)canvas;
    written(canvas);
    build(web->svg, "<rect class=\"cells\" data-of=\"n%d\" data-size=\"%d %d\"",
          web->table++, rows, columns);
    attribute(web->svg, "x", box.x);
    attribute(web->svg, "y", box.y);
    attribute(web->svg, "width", box.width);
    attribute(web->svg, "height", box.height);
    build_text(web->svg, "/>");
}

static Web web_begin(Canvas *letters, Builder *svg, int table) {
    return (Web){.canvas = {.metrics = letters->metrics,
                            .begin = begin,
                            .fill = fill,
                            .hatch = hatch,
                            .line = line,
                            .text = text,
                            .cells = cells,
                            .measure = measure},
                 .letters = letters,
                 .svg = svg,
                 .table = table};
}

bool web_figure(const Figure *figure, int table, Canvas *letters, Builder *html,
                Error *error) {
    Builder inside = {.arena = html->arena};
    Web web = web_begin(letters, &inside, table);
    Work work = {
        .figure = figure, .canvas = &web.canvas, .arena = html->arena, .whole = true};
    if (!figure_draw(&work, error)) return false;
    written(&web.canvas);
    build(html,
          "<svg role=\"img\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
          "style=\"--width:%gpx\" aria-label=\"",
          web.width, web.height, web.width, web.height, web.width);
    build_text(html, xml_escape(work.facts.title, html->arena));
    build_text(html, "\">");
    build_text(html, builder_text(&inside));
    build_text(html, "</svg>\n");
    return true;
}
