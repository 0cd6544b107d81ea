#include "view/tikz.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/language.h"
#include "view/figure_look.h"

enum { BYTES_MOST = 64 * 1024 * 1024 };

typedef struct {
    Picture picture; /* first, so that a Canvas * is also a Tikz * */
    Builder body;
} Tikz;

const char *tikz_escape(const char *text, Arena *arena) {
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
        {'-', "{-}"}, /* two would be joined */
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

/* What is too large is refused when it is saved: nothing more is kept until then. */
static Builder *body_of(Canvas *canvas) {
    Tikz *tikz = (Tikz *)canvas;
    return tikz->body.count < BYTES_MOST ? &tikz->body : NULL;
}

/* "rgb,255:red,68;green,1;blue,84" */
static const char *color_text(Color color, Arena *arena) {
    return arena_print(arena, "{rgb,255:red,%ld;green,%ld;blue,%ld}",
                       lround(fmin(fmax(color.red, 0), 1) * 255),
                       lround(fmin(fmax(color.green, 0), 1) * 255),
                       lround(fmin(fmax(color.blue, 0), 1) * 255));
}

/* What a unit of the drawing is, in TeX's big points, of which an inch has 72. */
static double points(const Picture *picture) {
    return picture->factor * POINTS_PER_INCH / UNITS_PER_INCH;
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    return picture_size((Picture *)canvas, width, height, 1, error);
}

static void fill(Canvas *canvas, Box box, Color color) {
    Builder *body = body_of(canvas);
    if (!body) return;
    build(body, "\\fill[fill=%s] (%.2f,%.2f) rectangle ++(%.2f,%.2f);\n",
          color_text(color, body->arena), box.x, box.y, box.width, box.height);
}

static void hatch(Canvas *canvas, Box box) {
    static const double least = 4;
    Builder *body = body_of(canvas);
    fill(canvas, box, canvas->theme->hatch);
    if (!body || box.width < least || box.height < least) return;
    build(body,
          "\\fill[pattern=north east lines,pattern color=%s] (%.2f,%.2f) rectangle "
          "++(%.2f,%.2f);\n",
          color_text(canvas->theme->stroke, body->arena), box.x, box.y, box.width,
          box.height);
}

/* "dash pattern=on 6bp off 3bp on 6bp off 3bp," of the stroke's kind. */
static const char *dash_text(const Picture *picture, int dash) {
    const double *length = stroke_dashes[dash];
    double unit = points(picture);
    if (!dash) return "";
    return arena_print(
        picture->arena, "dash pattern=on %.2fbp off %.2fbp on %.2fbp off %.2fbp,",
        length[0] * unit, length[1] * unit, length[2] * unit, length[3] * unit);
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    const Picture *picture = (Picture *)canvas;
    Builder *body = body_of(canvas);
    if (!body) return;
    const char *color =
        color_text(theme_color(canvas->theme, stroke.color), body->arena);
    double width = stroke.width * points(picture);
    if (count == 1) { /* a dot */
        build(body, "\\fill[fill=%s] (%.2f,%.2f) circle [radius=%.2fbp];\n", color,
              point[0].x, point[0].y, width / 2);
        return;
    }
    build(body, "\\draw[draw=%s,line width=%.2fbp,%sline join=round] ", color, width,
          dash_text(picture, stroke.dash));
    for (int i = 0; i < count; i++)
        build(body, "%s(%.2f,%.2f)%s", i ? "--" : "", point[i].x, point[i].y,
              i % 6 == 5 ? "\n  " : "");
    build(body, ";\n");
}

/* The sign of a number is no hyphen. */
static const char *tex_text(const char *text, Arena *arena) {
    bool negative = text[0] == '-' && isdigit((unsigned char)text[1]);
    return arena_print(arena, "%s%s", negative ? "\\textminus{}" : "",
                       tikz_escape(text + negative, arena));
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    static const char *const anchors[] = {[ALIGN_START] = "base west",
                                          [ALIGN_MIDDLE] = "base",
                                          [ALIGN_END] = "base east"};
    Picture *picture = (Picture *)canvas;
    Builder *body = body_of(canvas);
    double left;
    const TextRun *run = picture_run(picture, style, text, &left);
    if (!body || !*text) return;
    double size = letters_body(picture->letters) * points(picture) *
                  (style.size > 0 ? style.size : 1);
    /* The middle of the line lies at the point: its baseline below, as it is turned. */
    double turned = style.angle * acos(-1) / 180;
    Point base = {at.x + run->rise * sin(turned), at.y + run->rise * cos(turned)};
    build(body, "\\node[anchor=%s,", anchors[style.align]);
    if (style.angle != 0) build(body, "rotate=%.2f,", style.angle);
    if (style.color || style.faint)
        build(body, "text=%s,", color_text(picture_ink(picture, style), body->arena));
    build(body, "font=\\fontsize{%.2f}{%.2f}\\selectfont%s] at (%.2f,%.2f) {%s};\n",
          size, 1.2 * size, style.bold ? "\\bfseries" : "", base.x, base.y,
          tex_text(text, body->arena));
}

/* A comment of TeX ends with its line. */
static void write_facts(const Facts *facts, Builder *out) {
    build(out, "%% %s\n", facts->title);
    for (int i = 0; i < facts->count; i++)
        build(out, "%% %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    if (facts->description && *facts->description)
        build(out, "%% %s\n", facts->description);
}

static void write_head(const Picture *picture, const Facts *facts, Builder *out) {
    double unit = points(picture);
    write_facts(facts, out);
    build(out, "%%\n%% %s\n%% %s\n",
          said("Read it into a text with \\input; the text needs these packages, and "
               "for Korean XeLaTeX or LuaLaTeX."),
          said("Alone it is set between these lines and \\end{document}:"));
    build_text(out, "%   \\documentclass[tikz]{standalone}\n"
                    "%   \\usetikzlibrary{patterns}\n"
                    "%   \\usepackage{kotex}\n"
                    "%   \\begin{document}\n");
    build(out,
          "\\begin{tikzpicture}[x=%.5fbp,y=-%.5fbp,inner sep=0pt,outer sep=0pt,\n"
          "  text=%s]\n",
          unit, unit, color_text(picture->wish.theme->ink, picture->arena));
    build(out, "\\path[use as bounding box] (0,0) rectangle (%.2f,%.2f);\n",
          picture->width, picture->height);
    if (picture->wish.theme->has_paper)
        build(out, "\\fill[fill=%s] (0,0) rectangle (%.2f,%.2f);\n",
              color_text(picture->wish.theme->paper, picture->arena), picture->width,
              picture->height);
}

static bool save(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error) {
    Tikz *tikz = (Tikz *)picture;
    if (tikz->body.count >= BYTES_MOST)
        return fail(error, "cannot write %s: it would have more than %d bytes", path,
                    BYTES_MOST);
    Builder out = {.arena = picture->arena};
    write_head(picture, facts, &out);
    build_text(&out, builder_text(&tikz->body));
    build_text(&out, "\\end{tikzpicture}\n");
    return file_save(path, out.text, (size_t)out.count, replace, error);
}

Canvas *tikz_new(Arena *arena, const PictureWish *wish) {
    Tikz *tikz = ARENA_ARRAY(arena, Tikz, 1);
    picture_start(&tikz->picture, arena, wish, false);
    Canvas *canvas = &tikz->picture.canvas;
    canvas->begin = begin;
    canvas->fill = fill;
    canvas->hatch = hatch;
    canvas->line = line;
    canvas->text = text;
    tikz->picture.save = save;
    tikz->picture.spells = true;
    tikz->body.arena = arena;
    return canvas;
}
