#include "canvas/picture.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/language.h"

enum { BYTES_MAX = 64 * 1024 * 1024 };

/* Return `text` for TeX, with special characters as commands, in `arena`. */
static const char *tikz_escape(const char *text, Arena *arena) {
    static const struct {
        char letter;
        const char *command;
    } special[] = {
        {'\\', "\\textbackslash{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'#', "\\#"},
        {'%', "\\%"},
        {'_', "\\_"},
        {'^', "\\textasciicircum{}"},
        {'~', "\\textasciitilde{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "\\textquotedbl{}"},
        {'\'', "\\textquotesingle{}"},
        {'`', "\\textasciigrave{}"},
        {'-', "{-}"}, /* two hyphens would be joined */
    };
    enum { SPECIAL = sizeof special / sizeof *special, LONGEST = 19 };
    char *escaped = arena_take(arena, strlen(text) * LONGEST + 1);
    char *end = escaped;
    for (const char *c = text; *c; c++) {
        size_t i = 0;
        while (i < SPECIAL && special[i].letter != *c) i++;
        if (i < SPECIAL)
            end = stpcpy(end, special[i].command);
        else
            *end++ = *c;
    }
    *end = '\0';
    return escaped;
}

/* "{rgb,255:red,68;green,1;blue,84}" */
static const char *color_text(Color color, Arena *arena) {
    unsigned rgb = palette_rgb(color);
    return arena_print(arena, "{rgb,255:red,%u;green,%u;blue,%u}", rgb >> 16,
                       rgb >> 8 & 255, rgb & 255);
}

/* Return the size of a drawing unit in TeX's big points, 72 per inch. */
static double points(const Picture *picture) {
    return picture->factor * POINTS_PER_INCH / UNITS_PER_INCH;
}

static void fill(Canvas *canvas, Box box, Color color) {
    Builder *body = picture_body(canvas);
    if (body)
        build(body, "\\fill[fill=%s] (%.2f,%.2f) rectangle ++(%.2f,%.2f);\n",
              color_text(color, body->arena), box.x, box.y, box.width, box.height);
}

static void strokes(Picture *picture, Box box) {
    Builder *body = picture_body(&picture->canvas);
    if (body)
        build(body,
              "\\fill[pattern=north east lines,pattern color=%s] (%.2f,%.2f) rectangle "
              "++(%.2f,%.2f);\n",
              color_text(picture->options.theme->stroke, body->arena), box.x, box.y,
              box.width, box.height);
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    Builder *body = picture_body(canvas);
    if (!body) return;
    double unit = points((Picture *)canvas);
    const char *color =
        color_text(theme_color(canvas->theme, stroke.color), body->arena);
    double width = stroke.width * unit;
    if (count == 1) { /* a dot */
        build(body, "\\fill[fill=%s] (%.2f,%.2f) circle [radius=%.2fbp];\n", color,
              point[0].x, point[0].y, width / 2);
        return;
    }
    build(body, "\\draw[draw=%s,line width=%.2fbp,", color, width);
    const double *dash = stroke_dashes[stroke.dash];
    if (stroke.dash)
        build(body, "dash pattern=on %.2fbp off %.2fbp on %.2fbp off %.2fbp,",
              dash[0] * unit, dash[1] * unit, dash[2] * unit, dash[3] * unit);
    build(body, "line join=round] ");
    for (int i = 0; i < count; i++)
        build(body, "%s(%.2f,%.2f)%s", i ? "--" : "", point[i].x, point[i].y,
              i % 6 == 5 ? "\n  " : "");
    build(body, ";\n");
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    static const char *const anchors[] = {[ALIGN_START] = "base west",
                                          [ALIGN_MIDDLE] = "base",
                                          [ALIGN_END] = "base east"};
    Picture *picture = (Picture *)canvas;
    Builder *body = picture_body(canvas);
    double left;
    const TextRun *run = picture_run(picture, style, text, &left);
    if (!body || !*text) return;
    double size =
        picture->letters->body * points(picture) * (style.size > 0 ? style.size : 1);
    /* The point is in the middle of the line: move down to the baseline, rotated. */
    double turned = style.angle * acos(-1) / 180;
    Point base = {at.x + run->rise * sin(turned), at.y + run->rise * cos(turned)};
    build(body, "\\node[anchor=%s,", anchors[style.align]);
    if (style.angle != 0) build(body, "rotate=%.2f,", style.angle);
    if (style.color || style.faint)
        build(body, "text=%s,", color_text(picture_ink(picture, style), body->arena));
    /* A minus sign is not a hyphen. */
    bool negative = text[0] == '-' && isdigit((unsigned char)text[1]);
    build(body, "font=\\fontsize{%.2f}{%.2f}\\selectfont%s] at (%.2f,%.2f) {%s%s};\n",
          size, 1.2 * size, style.bold ? "\\bfseries" : "", base.x, base.y,
          negative ? "\\textminus{}" : "", tikz_escape(text + negative, body->arena));
}

static void write_head(const Picture *picture, const Facts *facts, Builder *out) {
    double unit = points(picture);
    /* A TeX comment ends at the end of its line. */
    build(out, "%% %s\n", facts->title);
    for (int i = 0; i < facts->count; i++)
        build(out, "%% %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    if (facts->description && *facts->description)
        build(out, "%% %s\n", facts->description);
    build(out, "%%\n%% %s\n%% %s\n",
          tr("Include it in a document with \\input; the document needs these "
             "packages, and Korean needs XeLaTeX or LuaLaTeX."),
          tr("To typeset it on its own, put it between these lines and "
             "\\end{document}:"));
    build_text(out, "%   \\documentclass[tikz]{standalone}\n"
                    "%   \\usetikzlibrary{patterns}\n"
                    "%   \\usepackage{kotex}\n"
                    "%   \\begin{document}\n");
    build(out,
          "\\begin{tikzpicture}[x=%.5fbp,y=-%.5fbp,inner sep=0pt,outer sep=0pt,\n"
          "  text=%s]\n",
          unit, unit, color_text(picture->options.theme->ink, out->arena));
    build(out, "\\path[use as bounding box] (0,0) rectangle (%.2f,%.2f);\n",
          picture->width, picture->height);
    if (picture->options.theme->has_paper)
        build(out, "\\fill[fill=%s] (0,0) rectangle (%.2f,%.2f);\n",
              color_text(picture->options.theme->paper, out->arena), picture->width,
              picture->height);
}

Canvas *tikz_new(Arena *arena, const PictureOptions *options) {
    static const Markup tikz = {
        fill, strokes, line, text, write_head, "\\end{tikzpicture}\n", BYTES_MAX};
    return picture_of_text(arena, options, &tikz);
}
