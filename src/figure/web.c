#include "figure/web.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "canvas/picture.h"
#include "figure/figure_draw.h"

/* Length of a text that is longer than a number. */
enum { LONG = 7 };

const char web_hatching[] =
    "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"hidden\"><defs>"
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"ground\" d=\"M0 0h6v6h-6z\"/>"
    "<path class=\"strokes\" d=\"M-1 7L7-1M-1 1L1-1M5 7L7 "
    "5\"/></pattern></defs></svg>\n";

/* A box of one color, and its order among the filled boxes. */
typedef struct {
    unsigned color; /* 0xRRGGBB */
    int number;
    Box box;
} Filled;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Web * */
    Canvas *letters;
    Builder *svg;
    int table; /* for the next matrix */
    double width, height;
    Filled *filled; /* consecutive boxes that are not written yet */
    int count, capacity;
} Web;

/* With at most one decimal: "12.5", "12". */
static NumberText number(double value) {
    return svg_number(round(value * 10) / 10, 1);
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    (void)error;
    Web *web = (Web *)canvas;
    web->width = ceil(width);
    web->height = ceil(height);
    return true;
}

static void box_path(Builder *svg, Box box) {
    build(svg, "M%s %sh%sv%sh%sz", number(box.x).text, number(box.y).text,
          number(box.width).text, number(box.height).text, number(-box.width).text);
}

static int by_color(const void *one, const void *other) {
    const Filled *a = one;
    const Filled *b = other;
    if (a->color != b->color) return a->color < b->color ? -1 : 1;
    return a->number - b->number;
}

/* Many boxes in a row are adjacent cells of a matrix. Write those of one color as one
 * path, since a browser is slow with tens of thousands of boxes. */
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
    web->filled[web->count] = (Filled){palette_rgb(color), web->count, box};
    web->count++;
}

static void hatch(Canvas *canvas, Box box) {
    Builder *svg = written(canvas);
    build_text(svg, "<path fill=\"url(#hatch)\" d=\"");
    box_path(svg, box);
    build_text(svg, "\"/>");
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    const double *dash = stroke_dashes[stroke.dash];
    Builder *svg = written(canvas);
    build_text(svg, "<polyline");
    /* Black, gray and light lines use the text colors of the page. */
    if (palette_is_same(stroke.color, color_black))
        build_text(svg, " class=\"ink\"");
    else if (palette_is_same(stroke.color, color_grey))
        build_text(svg, " class=\"soft\"");
    else if (palette_is_same(stroke.color, color_light))
        build_text(svg, " class=\"light\"");
    else
        build(svg, " stroke=\"#%06x\"", palette_rgb(stroke.color));
    build(svg, " stroke-width=\"%s\"", number(stroke.width).text);
    if (stroke.dash)
        build(svg, " stroke-dasharray=\"%g %g %g %g\"", dash[0], dash[1], dash[2],
              dash[3]);
    if (count == 1) build_text(svg, " stroke-linecap=\"round\"");
    build_text(svg, " points=\"");
    /* A single point is a dot: a line of length zero. */
    for (int i = 0; i < count + (count == 1); i++) {
        const Point *at = &point[i < count ? i : 0];
        build(svg, "%s%s,%s", i ? " " : "", number(at->x).text, number(at->y).text);
    }
    build_text(svg, "\"/>");
}

static double measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Web *)canvas)->letters;
    return letters->measure(letters, style, text);
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    static const Color black = {0, 0, 0}, white = {1, 1, 1};
    if (!*text) return;
    Builder *svg = written(canvas);
    const bool has[] = {style.align == ALIGN_MIDDLE,
                        style.align == ALIGN_END,
                        style.bold,
                        style.faint && !style.color,
                        style.color && palette_is_same(*style.color, black),
                        style.color && palette_is_same(*style.color, white)};
    int classes = 0;
    build_text(svg, "<text");
    for (int c = 0; c < 6; c++) /* "m b": alignment and weight of the text */
        if (has[c]) build(svg, "%s%c", classes++ ? " " : " class=\"", "mebfkw"[c]);
    if (classes) build_text(svg, "\"");
    if (style.color && !has[4] && !has[5])
        build(svg, " fill=\"#%06x\"", palette_rgb(*style.color));
    build(svg, " x=\"%s\" y=\"%s\"", number(at.x).text, number(at.y).text);
    if (style.size > 0 && style.size != 1)
        build(svg, " font-size=\"%s\"", number(LETTERS_BODY * style.size).text);
    if (strlen(text) >= LONG) { /* keep the planned width, whatever the font */
        build(svg, " textLength=\"%s\" lengthAdjust=\"spacingAndGlyphs\"",
              number(measure(canvas, style, text)).text);
    }
    if (style.angle != 0)
        build(svg, " transform=\"rotate(%.6g %.6g %.6g)\"", -style.angle, at.x, at.y);
    build(svg, ">%s</text>", xml_escape(text, svg->arena));
}

static void cells(Canvas *canvas, Box box, int rows, int columns) {
    Web *web = (Web *)canvas;
    written(canvas);
    build(web->svg,
          "<rect class=\"cells\" data-of=\"n%d\" data-size=\"%d %d\" x=\"%s\" "
          "y=\"%s\" width=\"%s\" height=\"%s\"/>",
          web->table++, rows, columns, number(box.x).text, number(box.y).text,
          number(box.width).text, number(box.height).text);
}

bool web_figure(const Figure *figure, int table, Canvas *letters, Builder *html,
                Error *error) {
    Builder inside = {.arena = html->arena};
    Web web = {.canvas = {.metrics = letters->metrics,
                          .arena = html->arena,
                          .begin = begin,
                          .fill = fill,
                          .hatch = hatch,
                          .line = line,
                          .text = text,
                          .cells = cells,
                          .measure = measure},
               .letters = letters,
               .svg = &inside,
               .table = table};
    Figure spoken = *figure;
    const Fact address = {N_("address"), figure->slices ? figure_subject(figure) : ""};
    spoken.in_words = figure->slices > 0;
    if (spoken.in_words && !spoken.facts) {
        spoken.fact = &address;
        spoken.facts = 1;
    }
    Work work = {
        .figure = &spoken, .canvas = &web.canvas, .arena = html->arena, .whole = true};
    if (!figure_draw(&work, error)) return false;
    written(&web.canvas);
    build(html,
          "<svg role=\"img\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
          "style=\"--width:%gpx\" aria-label=\"%s\">",
          web.width, web.height, web.width, web.height, web.width,
          xml_escape(work.facts.title, html->arena));
    build_text(html, builder_text(&inside));
    build_text(html, "</svg>\n");
    return true;
}
