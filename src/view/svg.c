#include "view/svg.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"

enum { BYTES_MOST = 256 * 1024 * 1024, PATTERN = 32 };

/* As letters.c asks for them. */
static const char families[] =
    "'Noto Sans CJK KR', 'Noto Sans KR', NanumBarunGothic, NanumGothic, sans-serif";

typedef struct {
    Picture picture; /* first, so that a Canvas * is also an Svg * */
    Builder body;
    bool hatches; /* the pattern is used */
} Svg;

typedef struct {
    char text[32];
} NumberText;

/* Without needless digits. */
static NumberText short_number(double number) {
    NumberText short_one;
    char *text = short_one.text;
    int length = snprintf(text, sizeof short_one.text, "%.2f", number);
    while (length > 1 && text[length - 1] == '0') length--;
    if (text[length - 1] == '.') length--;
    text[length] = '\0';
    return strcmp(text, "-0") == 0 ? (NumberText){"0"} : short_one;
}

typedef struct {
    char text[8];
} ColorText;

static ColorText color_text(Color color) {
    ColorText hex;
    snprintf(hex.text, sizeof hex.text, "#%02x%02x%02x",
             (unsigned)lround(fmin(fmax(color.red, 0), 1) * 255),
             (unsigned)lround(fmin(fmax(color.green, 0), 1) * 255),
             (unsigned)lround(fmin(fmax(color.blue, 0), 1) * 255));
    return hex;
}

/* What is too large is refused when it is saved: nothing more is kept until then. */
static Builder *body_of(Canvas *canvas) {
    Svg *svg = (Svg *)canvas;
    return svg->body.count < BYTES_MOST ? &svg->body : NULL;
}

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    return picture_size((Picture *)canvas, width, height, 1, error);
}

static void write_box(Canvas *canvas, Box box, const char *paper) {
    Builder *body = body_of(canvas);
    if (!body) return;
    build(body, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>\n",
          short_number(box.x).text, short_number(box.y).text,
          short_number(box.width).text, short_number(box.height).text, paper);
}

static void fill(Canvas *canvas, Box box, Color color) {
    write_box(canvas, box, color_text(color).text);
}

/* Pictures on one page share a pattern where it looks alike. */
static const char *pattern_of(const Canvas *canvas, char *text) {
    snprintf(text, PATTERN, "url(#strokes-%s)",
             color_text(canvas->theme->stroke).text + 1);
    return text;
}

static void hatch(Canvas *canvas, Box box) {
    static const double least = 4;
    fill(canvas, box, canvas->theme->hatch);
    if (box.width < least || box.height < least) return;
    ((Svg *)canvas)->hatches = true;
    write_box(canvas, box, pattern_of(canvas, (char[PATTERN]){0}));
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    Builder *body = body_of(canvas);
    if (!body) return;
    build(body, "<path d=\"");
    for (int i = 0; i < count; i++)
        build(body, "%s%s %s", i ? "L" : "M", short_number(point[i].x).text,
              short_number(point[i].y).text);
    /* One point alone is a dot: a line of no length with round ends. */
    if (count == 1) build(body, "h0");
    build(body, "\" stroke=\"%s\" stroke-width=\"%s\"",
          color_text(theme_color(canvas->theme, stroke.color)).text,
          short_number(stroke.width).text);
    if (count > 2) build(body, " fill=\"none\"");
    if (count == 1) build(body, " stroke-linecap=\"round\"");
    const double *dash = stroke_dashes[stroke.dash];
    if (stroke.dash)
        build(body, " stroke-dasharray=\"%s %s %s %s\"", short_number(dash[0]).text,
              short_number(dash[1]).text, short_number(dash[2]).text,
              short_number(dash[3]).text);
    build(body, "/>\n");
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    static const char *const anchors[] = {
        [ALIGN_START] = "", [ALIGN_MIDDLE] = "middle", [ALIGN_END] = "end"};
    Picture *picture = (Picture *)canvas;
    Builder *body = body_of(canvas);
    double left;
    const TextRun *run = picture_run(picture, style, text, &left);
    if (!body || !*text) return;
    build(body, "<text x=\"%s\" y=\"%s\"", short_number(at.x).text,
          short_number(at.y + run->rise).text);
    if (style.angle != 0)
        build(body, " transform=\"rotate(%s %s %s)\"", short_number(-style.angle).text,
              short_number(at.x).text, short_number(at.y).text);
    if (*anchors[style.align]) build(body, " text-anchor=\"%s\"", anchors[style.align]);
    if (style.size > 0)
        build(body, " font-size=\"%s\"",
              short_number(style.size * letters_body(picture->letters)).text);
    if (style.bold) build(body, " font-weight=\"bold\"");
    if (style.color || style.faint)
        build(body, " fill=\"%s\"", color_text(picture_ink(picture, style)).text);
    build(body, ">%s</text>\n", xml_escape(text, picture->arena));
}

static void write_head(const Svg *svg, const Facts *facts, Builder *out) {
    const Picture *picture = &svg->picture;
    const char *font = picture->wish.font;
    build(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
          "width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" xml:space=\"preserve\">\n",
          short_number(picture->width * picture->factor).text,
          short_number(picture->height * picture->factor).text,
          short_number(picture->width).text, short_number(picture->height).text);
    build_text(out, fact_xml(facts, picture->arena));
    ColorText stroke = color_text(picture->wish.theme->stroke);
    if (svg->hatches)
        build(out,
              "<defs><pattern id=\"strokes-%s\" width=\"6\" height=\"6\" "
              "patternUnits=\"userSpaceOnUse\">"
              "<path d=\"M-1 1L1-1M0 6L6 0M5 7L7 5\" stroke=\"%s\"/>"
              "</pattern></defs>\n",
              stroke.text + 1, stroke.text);
    if (picture->wish.theme->has_paper)
        build(out, "<rect width=\"%s\" height=\"%s\" fill=\"%s\"/>\n",
              short_number(picture->width).text, short_number(picture->height).text,
              color_text(picture->wish.theme->paper).text);
    const char *name = font ? xml_escape(font, picture->arena) : "";
    build(out,
          "<g font-family=\"%s%s%s%s\" font-size=\"%s\" fill=\"%s\" "
          "stroke-linejoin=\"round\">\n",
          font ? "'" : "", name, font ? "', " : "", families,
          short_number(letters_body(picture->letters)).text,
          color_text(picture->wish.theme->ink).text);
}

static bool save(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error) {
    Svg *svg = (Svg *)picture;
    if (svg->body.count >= BYTES_MOST)
        return fail(error, "cannot write %s: it would have more than %d bytes", path,
                    BYTES_MOST);
    Builder out = {.arena = picture->arena};
    write_head(svg, facts, &out);
    build_text(&out, builder_text(&svg->body));
    build_text(&out, "</g>\n</svg>\n");
    return file_save(path, out.text, (size_t)out.count, replace, error);
}

Canvas *svg_new(Arena *arena, const PictureWish *wish) {
    Svg *svg = ARENA_ARRAY(arena, Svg, 1);
    picture_start(&svg->picture, arena, wish, false);
    Canvas *canvas = &svg->picture.canvas;
    canvas->begin = begin;
    canvas->fill = fill;
    canvas->hatch = hatch;
    canvas->line = line;
    canvas->text = text;
    svg->picture.save = save;
    svg->picture.spells = true;
    svg->body.arena = arena;
    return canvas;
}
