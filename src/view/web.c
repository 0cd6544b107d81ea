#include "view/web.h"

#include <math.h>
#include <string.h>

#include "view/figure_work.h"
#include "view/palette.h"

enum { BODY = 13 }; /* pixels of a letter, as in image.c */

const char web_hatching[] =
    "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"hidden\"><defs>"
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"ground\" d=\"M0 0h6v6h-6z\"/>"
    "<path class=\"strokes\" d=\"M-1 7L7-1M-1 1L1-1M5 7L7 "
    "5\"/></pattern></defs></svg>\n";

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Web * */
    Canvas *letters;
    Builder *svg;
    int table; /* of the next matrix */
    double width, height;
} Web;

/* With one decimal, or none: "12.5", "12". */
static void number(Builder *svg, double value) {
    build(svg, "%.6g", round(value * 10) / 10 + 0.0);
}

static void attribute(Builder *svg, const char *name, double value) {
    build(svg, " %s=\"", name);
    number(svg, value);
    build_text(svg, "\"");
}

static void escaped(Builder *svg, const char *text) {
    for (const char *c = text; *c; c++) {
        const char one[] = {*c, '\0'};
        build_text(svg, *c == '&'   ? "&amp;"
                        : *c == '<' ? "&lt;"
                        : *c == '>' ? "&gt;"
                        : *c == '"' ? "&quot;"
                                    : one);
    }
}

static unsigned byte_of(double share) {
    return (unsigned)lround(fmin(fmax(share, 0), 1) * 255);
}

static void color_attribute(Builder *svg, const char *name, Color color) {
    build(svg, " %s=\"#%02x%02x%02x\"", name, byte_of(color.red), byte_of(color.green),
          byte_of(color.blue));
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
    build_text(svg, " d=\"M");
    number(svg, box.x);
    build_text(svg, " ");
    number(svg, box.y);
    build_text(svg, "h");
    number(svg, box.width);
    build_text(svg, "v");
    number(svg, box.height);
    build_text(svg, "h");
    number(svg, -box.width);
    build_text(svg, "z\"/>");
}

static void fill(Canvas *canvas, Box box, Color color) {
    Builder *svg = ((Web *)canvas)->svg;
    build_text(svg, "<path");
    color_attribute(svg, "fill", color);
    box_path(svg, box);
}

static void hatch(Canvas *canvas, Box box) {
    Builder *svg = ((Web *)canvas)->svg;
    build_text(svg, "<path fill=\"url(#hatch)\"");
    box_path(svg, box);
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
    static const char *const dashes[STROKE_DASHES] = {"", "8 4", "2 3", "9 3 2 3",
                                                      "14 5"};
    Builder *svg = ((Web *)canvas)->svg;
    build_text(svg, "<polyline");
    stroke_attribute(svg, stroke.color);
    attribute(svg, "stroke-width", stroke.width);
    if (stroke.dash) build(svg, " stroke-dasharray=\"%s\"", dashes[stroke.dash]);
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

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    Builder *svg = ((Web *)canvas)->svg;
    if (!*text) return;
    build_text(svg, "<text");
    class_attribute(svg, &style);
    if (style.color && !is_ink(style.color, ink_black) &&
        !is_ink(style.color, ink_white))
        color_attribute(svg, "fill", *style.color);
    attribute(svg, "x", at.x);
    attribute(svg, "y", at.y);
    if (style.size > 0 && style.size != 1)
        attribute(svg, "font-size", BODY * style.size);
    if (style.angle != 0)
        build(svg, " transform=\"rotate(%.6g %.6g %.6g)\"", -style.angle, at.x, at.y);
    build_text(svg, ">");
    escaped(svg, text);
    build_text(svg, "</text>");
}

static void cells(Canvas *canvas, Box box, int rows, int columns) {
    Web *web = (Web *)canvas;
    build(web->svg, "<rect class=\"cells\" data-of=\"n%d\" data-size=\"%d %d\"",
          web->table++, rows, columns);
    attribute(web->svg, "x", box.x);
    attribute(web->svg, "y", box.y);
    attribute(web->svg, "width", box.width);
    attribute(web->svg, "height", box.height);
    build_text(web->svg, "/>");
}

static double measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Web *)canvas)->letters;
    return letters->measure(letters, style, text);
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
    build(html,
          "<svg role=\"img\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
          "style=\"--width:%gpx\" aria-label=\"",
          web.width, web.height, web.width, web.height, web.width);
    escaped(html, work.facts.title);
    build_text(html, "\">");
    build_text(html, builder_text(&inside));
    build_text(html, "</svg>\n");
    return true;
}
