#include "canvas/picture.h"

#include <math.h>
#include <string.h>

enum { BYTES_MAX = 256 * 1024 * 1024 };

/* The same as in letters.c. */
static const char families[] =
    "'Noto Sans CJK KR', 'Noto Sans KR', NanumBarunGothic, NanumGothic, sans-serif";

NumberText svg_number(double number, int decimals) {
    NumberText short_one;
    char *text = short_one.text;
    int length = snprintf(text, sizeof short_one.text, "%.*f", decimals, number);
    while (length > 1 && text[length - 1] == '0') length--;
    if (text[length - 1] == '.') length--;
    text[length] = '\0';
    return strcmp(text, "-0") == 0 ? (NumberText){"0"} : short_one;
}

static NumberText short_number(double number) {
    return svg_number(number, 2);
}

/* Escape the characters that XML has names for, and those that it does not allow; for
 * HTML, apostrophes as well. */
static const char *escape(const char *text, bool apostrophes, Arena *arena) {
    static const struct {
        const char *letter, *name;
    } entity[] = {{"&", "&amp;"},
                  {"<", "&lt;"},
                  {">", "&gt;"},
                  {"\"", "&quot;"},
                  {"\xEF\xBF\xBE", "\uFFFD"},
                  {"\xEF\xBF\xBF", "\uFFFD"},
                  {"'", "&#39;"}};
    const size_t entities = sizeof entity / sizeof *entity - !apostrophes;
    char *escaped = arena_take(arena, strlen(text) * 6 + 1);
    char *end = escaped;
    for (const char *c = text; *c;) {
        size_t i = 0;
        while (i < entities &&
               strncmp(entity[i].letter, c, strlen(entity[i].letter)) != 0)
            i++;
        if (i < entities) {
            end = stpcpy(end, entity[i].name);
            c += strlen(entity[i].letter);
        } else {
            *end++ = *c++;
        }
    }
    *end = '\0';
    return escaped;
}

const char *xml_escape(const char *text, Arena *arena) {
    return escape(text, false, arena);
}

const char *html_escape(const char *text, Arena *arena) {
    return escape(text, true, arena);
}

static const char *svg_facts(const Facts *facts, Arena *arena) {
    const char *lines =
        arena_print(arena, "<title>%s</title>\n", xml_escape(facts->title, arena));
    if (facts->description && *facts->description)
        lines = arena_print(arena, "%s<desc>%s</desc>\n", lines,
                            xml_escape(facts->description, arena));
    lines = arena_print(arena, "%s<metadata>\n", lines);
    for (int i = 0; i < facts->count; i++)
        lines = arena_print(arena, "%s<fact name=\"%s\">%s</fact>\n", lines,
                            xml_escape(facts->fact[i].name, arena),
                            xml_escape(facts->fact[i].value, arena));
    return arena_print(arena, "%s</metadata>\n", lines);
}

static void write_box(Builder *body, Box box, const char *paper, unsigned color) {
    if (body)
        build(
            body,
            "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s%06x%s\"/>\n",
            short_number(box.x).text, short_number(box.y).text,
            short_number(box.width).text, short_number(box.height).text, paper, color,
            *paper == '#' ? "" : ")");
}

static void fill(Canvas *canvas, Box box, Color color) {
    write_box(picture_body(canvas), box, "#", palette_rgb(color));
}

/* Pictures on one page share a pattern if it looks the same. */
static void strokes(Picture *picture, Box box) {
    write_box(picture_body(&picture->canvas), box, "url(#strokes-",
              palette_rgb(picture->options.theme->stroke));
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    Builder *body = picture_body(canvas);
    if (!body) return;
    build(body, "<path d=\"");
    for (int i = 0; i < count; i++)
        build(body, "%s%s %s", i ? "L" : "M", short_number(point[i].x).text,
              short_number(point[i].y).text);
    /* A single point is a dot: a line of length zero with round ends. */
    if (count == 1) build(body, "h0");
    build(body, "\" stroke=\"#%06x\" stroke-width=\"%s\"",
          palette_rgb(theme_color(canvas->theme, stroke.color)),
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
    Builder *body = picture_body(canvas);
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
              short_number(style.size * picture->letters->body).text);
    if (style.bold) build(body, " font-weight=\"bold\"");
    if (style.color || style.faint)
        build(body, " fill=\"#%06x\"", palette_rgb(picture_ink(picture, style)));
    build(body, ">%s</text>\n", xml_escape(text, canvas->arena));
}

static void write_head(const Picture *picture, const Facts *facts, Builder *out) {
    const Theme *theme = picture->options.theme;
    const char *font = picture->options.font;
    const NumberText width = short_number(picture->width);
    const NumberText height = short_number(picture->height);
    build(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
          "width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" xml:space=\"preserve\">\n",
          short_number(picture->width * picture->factor).text,
          short_number(picture->height * picture->factor).text, width.text,
          height.text);
    build_text(out, svg_facts(facts, out->arena));
    if (picture->is_hatched)
        build(out,
              "<defs><pattern id=\"strokes-%06x\" width=\"6\" height=\"6\" "
              "patternUnits=\"userSpaceOnUse\">"
              "<path d=\"M-1 1L1-1M0 6L6 0M5 7L7 5\" stroke=\"#%06x\"/>"
              "</pattern></defs>\n",
              palette_rgb(theme->stroke), palette_rgb(theme->stroke));
    if (theme->has_paper)
        build(out, "<rect width=\"%s\" height=\"%s\" fill=\"#%06x\"/>\n", width.text,
              height.text, palette_rgb(theme->paper));
    const char *name = font ? xml_escape(font, out->arena) : "";
    build(out,
          "<g font-family=\"%s%s%s%s\" font-size=\"%s\" fill=\"#%06x\" "
          "stroke-linejoin=\"round\">\n",
          font ? "'" : "", name, font ? "', " : "", families,
          short_number(picture->letters->body).text, palette_rgb(theme->ink));
}

Canvas *svg_new(Arena *arena, const PictureOptions *options) {
    static const Markup svg = {fill,       strokes,          line,     text,
                               write_head, "</g>\n</svg>\n", BYTES_MAX};
    return picture_of_text(arena, options, &svg);
}

char *svg_add_facts(const char *svg, const Facts *facts, Arena *arena) {
    static const char group[] = "<g id=\"surface";
    const char *root = strstr(svg, "<svg");
    const char *inside = root ? strchr(root, '>') : NULL;
    if (!inside++) return NULL;
    const char *said = arena_print(arena, "\n%s", svg_facts(facts, arena));
    const char *id = strstr(inside, group);
    const char *rest = id ? strchr(id, '>') : NULL;
    if (!rest)
        return arena_print(arena, "%.*s%s%s", (int)(inside - svg), svg, said, inside);
    return arena_print(arena, "%.*s%s%.*s<g%s", (int)(inside - svg), svg, said,
                       (int)(id - inside), inside, rest);
}
