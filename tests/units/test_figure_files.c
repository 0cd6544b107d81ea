/* Figures made for a page: their size, theme, letters and words, and the metadata in
 * each format. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "canvas/picture.h"
#include "figure/figure.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

enum { LIMIT = 1 << 26 };

static Arena arena;
static Error error;
static char folder[] = "/tmp/test_figure_files.XXXXXX";

static const Fact facts[] = {
    {"sentence", "나는 학생 <&>"}, {"model", "a_b"}, {"seed", "7"}};

/* Scores [query, key] with a word that occurs twice and spaces before words. */
static Figure scores(void) {
    static const char *const word[] = {"나는", "·학생", "·학생"};
    static const Number number[] = {-1, 0.5F, 2, -INFINITY, 0, 1, 3, -2, 0.25F};
    Axis axis[] = {{.name = "query", .size = 3, .labels = word, .label_rows = 1},
                   {.name = "key", .size = 3, .labels = word, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "decoder.0.self_attention.masked", 2, axis);
    memcpy(tensor->data, number, sizeof number);
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = slice_all(tensor);
    return (Figure){.slice = slice, .slices = 1, .fact = facts, .facts = 3};
}

static Bytes saved(const Figure *figure, const char *name) {
    const char *path = file_join(&arena, folder, name);
    const char *warning;
    Bytes bytes = {0};
    if (!figure_save(figure, path, true, &arena, &warning, &error))
        fail_msg("%s", error.message);
    assert_true(file_read(path, LIMIT, &arena, &bytes, &error));
    unlink(path);
    return bytes;
}

static bool is_refused(const Figure *figure, const char *name, const char *because) {
    const char *path = file_join(&arena, folder, name);
    const char *warning;
    if (figure_save(figure, path, true, &arena, &warning, &error)) return false;
    assert_non_null(strstr(error.message, because));
    return !file_exists(path);
}

static bool holds(Bytes bytes, const char *text) {
    return memmem(bytes.bytes, bytes.size, text, strlen(text)) != NULL;
}

static int count_of(Bytes bytes, const char *text) {
    int count = 0;
    const char *c = bytes.bytes;
    while (
        (c = memmem(c, (size_t)(bytes.bytes + bytes.size - c), text, strlen(text)))) {
        count++;
        c += strlen(text);
    }
    return count;
}

/* Return the number after `name`, as in width="12.5". */
static double number_of(Bytes svg, const char *name) {
    const char *at = memmem(svg.bytes, svg.size, name, strlen(name));
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

typedef struct {
    int width, height;
    double per_inch;
    unsigned char *pixel; /* RGBA */
} Read;

static Read read_png(Bytes png) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png.bytes, png.size));
    bool alpha = image.format & PNG_FORMAT_FLAG_ALPHA;
    image.format = PNG_FORMAT_RGBA;
    Read read = {.width = (int)image.width, .height = (int)image.height};
    read.pixel = arena_take(&arena, PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, read.pixel, 0, NULL));
    if (!alpha) assert_int_equal(read.pixel[3], 255);
    const unsigned char *size = memmem(png.bytes, png.size, "pHYs", 4);
    assert_non_null(size);
    read.per_inch = (size[4] << 24 | size[5] << 16 | size[6] << 8 | size[7]) * 0.0254;
    return read;
}

static void lengths_are_read_with_their_unit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double units;
        bool on_paper;
    } right[] = {{"2.54cm", 96, true},  {"254mm", 960, true}, {"1in", 96, true},
                 {"900px", 900, false}, {"1 in", 96, true},   {".5in", 48, true}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        Length length = {0};
        assert_true(length_read(right[i].text, &length));
        assert_true(fabs(length.units - right[i].units) < 1e-9);
        assert_int_equal(length.on_paper, right[i].on_paper);
    }
    static const char *const wrong[] = {"",      "cm",      "12",    "12km",  "-3cm",
                                        "0cm",   "1e9cm",   "nancm", "infin", "0x10cm",
                                        "12cmm", "12 cm x", "101in", "1  cm", "1in "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Length length = {0};
        if (length_read(wrong[i], &length)) fail_msg("'%s' is taken", wrong[i]);
        assert_true(length.units == 0);
    }
}

static void a_png_has_the_pixels_of_its_inches(void **state) {
    (void)state;
    Figure figure = scores();
    Read plain = read_png(saved(&figure, "a.png"));
    figure.look.dpi = 288;
    Read fine = read_png(saved(&figure, "a.png"));
    assert_in_range(fine.width, 3 * plain.width - 12, 3 * plain.width + 12);
    assert_true(fabs(fine.per_inch - 288) < 0.05);
    figure.look.dpi = 0;
    assert_true(length_read("10cm", &figure.look.width));
    Read on_paper = read_png(saved(&figure, "a.png"));
    assert_int_equal(on_paper.width, 1181); /* 10 / 2.54 * 300 */
    assert_true(fabs(on_paper.per_inch - 300) < 0.05);
    assert_true(length_read("333px", &figure.look.width));
    Read on_screen = read_png(saved(&figure, "a.png"));
    assert_int_equal(on_screen.width, 333);
    assert_true(fabs(on_screen.per_inch - 96) < 0.05);
    figure.look.dpi = 192;
    assert_int_equal(read_png(saved(&figure, "a.png")).width, 666);
}

/* In each format a picture has the requested width. */
static void every_format_has_the_requested_width(void **state) {
    (void)state;
    Figure figure = scores();
    assert_true(length_read("12cm", &figure.look.width));
    double units = 12 / 2.54 * 96;
    assert_true(fabs(number_of(saved(&figure, "a.svg"), " width=\"") - units) < 0.01);
    figure.look.text = LETTERS_OUTLINES;
    assert_true(fabs(number_of(saved(&figure, "a.svg"), " width=\"") - units) < 0.01);
    double points = number_of(saved(&figure, "a.pdf"), "/MediaBox [ 0 0 ");
    assert_true(fabs(points - units * 0.75) < 0.01);
    Bytes tex = saved(&figure, "a.tex");
    double unit = number_of(tex, "[x=");
    double across = number_of(tex, "bounding box] (0,0) rectangle (");
    assert_true(fabs(unit * across - units * 0.75) < 0.01);
}

/* However the picture is scaled, its letters have the requested size. */
static void letters_have_their_size_on_the_page(void **state) {
    (void)state;
    Figure figure = scores();
    static const char *const widths[] = {NULL, "9cm", "16cm"};
    for (int w = 0; w < 3; w++)
        for (double size = 6; size < 13; size += 3) {
            figure.look = (FigureLook){.font_size = size, .caption = CAPTION_NONE};
            if (widths[w]) assert_true(length_read(widths[w], &figure.look.width));
            Bytes svg = saved(&figure, "a.svg");
            double body = number_of(svg, "sans-serif\" font-size=\"");
            double factor = number_of(svg, " width=\"") / number_of(svg, "\"0 0 ");
            double points = body * factor * 0.75;
            if (fabs(points - size) > 0.04 * size)
                fail_msg("%g points asked, %g given", size, points);
        }
    figure.look.font_size = 60;
    assert_true(length_read("3cm", &figure.look.width));
    assert_true(is_refused(&figure, "a.svg", "does not fit in width 3cm"));
}

static void a_missing_font_is_rejected(void **state) {
    (void)state;
    Figure figure = scores();
    figure.look.font = "No Such Font";
    assert_true(is_refused(&figure, "a.png", "there is no font 'No Such Font'"));
    assert_true(is_refused(&figure, "a.svg", "No Such Font"));
    figure.look.font = "nanumgothic";
    assert_true(holds(saved(&figure, "a.svg"), "font-family=\"'nanumgothic', "));
}

static void paper_follows_the_theme(void **state) {
    (void)state;
    Figure figure = scores();
    Read light = read_png(saved(&figure, "a.png"));
    assert_int_equal(light.pixel[0], 255);
    figure.look.theme = THEME_DARK;
    Read dark = read_png(saved(&figure, "a.png"));
    assert_in_range(dark.pixel[0], 0, 60);
    assert_int_equal(dark.pixel[3], 255);
    figure.look.theme = THEME_TRANSPARENT;
    Read clear = read_png(saved(&figure, "a.png"));
    assert_int_equal(clear.pixel[3], 0);
    int opaque = 0;
    for (int i = 0; i < clear.width * clear.height; i++)
        opaque += clear.pixel[4 * i + 3] == 255;
    assert_true(opaque > 5000); /* the cells */
    assert_false(holds(saved(&figure, "a.svg"), "fill=\"#ffffff\"/>\n<g"));
}

static void print_is_grey_unless_a_palette_is_named(void **state) {
    (void)state;
    Figure figure = scores();
    figure.look.theme = THEME_PRINT;
    for (int named = 0; named < 2; named++) {
        figure.palette = named ? palette_find("redblue") : NULL;
        Read read = read_png(saved(&figure, "a.png"));
        int colored = 0;
        for (int i = 0; i < read.width * read.height; i++)
            colored += abs(read.pixel[4 * i] - read.pixel[4 * i + 2]) > 3;
        assert_int_equal(colored > 0, named);
    }
}

static void ink_and_curves_show_on_every_paper(void **state) {
    (void)state;
    for (int t = THEME_LIGHT; theme_names[t]; t++) {
        const Theme *theme = theme_named((ThemeName)t);
        assert_true(palette_contrast(theme->ink, theme->paper) >= 7);
        assert_true(palette_contrast(theme->faint, theme->paper) >= 4.5);
        for (int i = 0; i < PALETTE_CURVES; i++)
            assert_true(palette_contrast(theme_color(theme, palette_curve(i)),
                                         theme->paper) >= 2.1);
        Color white = theme_color(theme, color_white);
        assert_true(palette_contrast(white, theme->paper) < 1.01);
    }
}

static void words_around_a_figure_are_a_choice(void **state) {
    (void)state;
    Figure figure = scores();
    static const struct {
        CaptionLength caption;
        bool sentence, seed;
    } rows[] = {
        {CAPTION_FULL, true, true}, {CAPTION_SHORT, true, false}, {CAPTION_NONE, 0, 0}};
    for (int i = 0; i < 3; i++) {
        figure.look.caption = rows[i].caption;
        Bytes svg = saved(&figure, "a.svg");
        assert_int_equal(holds(svg, ">sentence: "), rows[i].sentence);
        assert_int_equal(holds(svg, "seed: 7"), rows[i].seed);
        assert_true(holds(svg, "<fact name=\"seed\">7</fact>")); /* always */
    }
    figure.look.title = "none";
    Bytes untitled = saved(&figure, "a.svg");
    assert_int_equal(count_of(untitled, "decoder.0.self_attention.masked"), 1);
    figure.look.title = "x < y";
    Bytes titled = saved(&figure, "a.svg");
    assert_int_equal(count_of(titled, "x &lt; y"), 2);
    assert_false(holds(titled, "decoder.0"));
}

static void plain_labels_are_only_the_words(void **state) {
    (void)state;
    Figure figure = scores();
    Bytes marked = saved(&figure, "a.txt");
    assert_true(holds(marked, "·학생#2"));
    figure.look.labels = LABELS_PLAIN;
    figure.look.caption = CAPTION_NONE;
    Bytes plain = saved(&figure, "a.txt");
    assert_false(holds(plain, "·"));
    assert_false(holds(plain, "#"));
    assert_int_equal(count_of(plain, "학생"), 4);
}

static void svg_text_is_text(void **state) {
    (void)state;
    Figure figure = scores();
    Bytes svg = saved(&figure, "a.svg");
    assert_true(holds(svg, ">·학생</text>"));
    assert_true(holds(svg, ">-2.00</text>"));
    assert_true(holds(svg, "나는 학생 &lt;&amp;&gt;"));
    assert_true(holds(svg, "role=\"img\""));
    assert_true(holds(svg, "<desc>A heatmap. 3 rows (query: attends to the keys): "
                           "나는, ·학생, ·학생#2."));
    assert_true(
        holds(svg, "The largest number is 3.00, in row ·학생#2 and column 나는."));
    assert_true(holds(svg, "url(#strokes-")); /* masked cells */
    assert_int_equal(count_of(svg, "<text"), count_of(svg, "</text>"));
    assert_int_equal(count_of(svg, "<pattern id=\"strokes-"), 1);
    figure.look.text = LETTERS_OUTLINES;
    assert_false(holds(saved(&figure, "a.svg"), "<text"));
}

static void xml_takes_any_letter(void **state) {
    (void)state;
    assert_string_equal(xml_escape("<a b=\"&\"> 가 \xEF\xBF\xBE\xEF\xBF\xBF", &arena),
                        "&lt;a b=&quot;&amp;&quot;&gt; 가 \uFFFD\uFFFD");
}

/* Read the file from its end, as a PDF reader does: each object in the last table is at
 * its offset. */
static void a_pdf_speaks(void **state) {
    (void)state;
    Figure figure = scores();
    figure.look.title = "가";
    Bytes pdf = saved(&figure, "a.pdf");
    const char *start = NULL;
    for (const char *c = pdf.bytes;
         (c = memmem(c, (size_t)(pdf.bytes + pdf.size - c), "startxref\n", 10)); c++)
        start = c + 10;
    assert_non_null(start);
    const char *table = pdf.bytes + strtol(start, NULL, 10);
    assert_memory_equal(table, "xref\n", 5);
    table += 5;
    for (int i = 0; i < 2; i++) {
        char *next;
        long object = strtol(table, &next, 10);
        assert_int_equal(strtol(next, &next, 10), 1);
        const char *place = pdf.bytes + strtol(next, &next, 10);
        const char *head = arena_print(&arena, "%ld 0 obj\n", object);
        assert_memory_equal(place, head, strlen(head));
        table = strchr(next, '\n') + 1;
    }
    assert_memory_equal(table, "trailer\n", 8);
    assert_true(holds(pdf, "/Alt <FEFFAC00002E0020")); /* "가. " */
    assert_true(holds(pdf, "/Lang (en)"));
    assert_int_equal(count_of(pdf, "/S /Figure"), 2); /* the original and the new one */
}

/* If Cairo ever writes a different structure, the file stays unchanged. */
static void an_unexpected_pdf_stays_unchanged(void **state) {
    (void)state;
    static const char *const files[] = {
        "",
        "%PDF-1.5\n",
        "1 0 obj\n<< /S /Figure\n>>\nendobj\n",
        "1 0 obj\n<< /S /Figure\n>>\nendobj\n2 0 obj\n<< /Type /Catalog\n>>\nendobj\n",
        "/S /Figure /Type /Catalog trailer\nstartxref\n",
        "startxref\n9 trailer\n1 0 obj\n<< /S /Figure /Type /Catalog\n>>\nendobj\n"};
    Facts said = {.title = "a"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_string_equal(
            image_pdf_update(files[i], (int)strlen(files[i]), &said, "en", &arena), "");
}

static void tikz_is_tex(void **state) {
    (void)state;
    Figure figure = scores();
    figure.look.title = "50 % of {a_b} & $x^2$ #1 ~ \\end{tikzpicture}";
    Bytes tex = saved(&figure, "a.tex");
    assert_true(holds(tex, "50 \\% of \\{a\\_b\\} \\& \\$x\\textasciicircum{}2\\$ \\#1 "
                           "\\textasciitilde{} \\textbackslash{}end\\{tikzpicture\\}"));
    assert_true(holds(tex, "{\\textminus{}2.00}"));
    assert_true(holds(tex, "pattern=north east lines"));
    assert_true(holds(tex, "% seed: 7\n"));
    int open = 0;
    int nodes = 0;
    for (const char *line = tex.bytes; *line; line = strchr(line, '\n') + 1) {
        if (*line == '%') continue; /* TeX ignores comments */
        nodes += strncmp(line, "\\node", 5) == 0;
        for (const char *c = line; *c != '\n'; c++) {
            if (*c == '\\')
                c++;
            else if (*c == '%')
                fail_msg("a comment begins in: %.80s", line);
            else
                open += (*c == '{') - (*c == '}');
        }
        assert_true(open >= 0);
    }
    assert_int_equal(open, 0);
    assert_true(nodes > 20);
    assert_memory_equal(tex.bytes + tex.size - 18, "\\end{tikzpicture}\n", 18);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_read_with_their_unit),
        cmocka_unit_test(a_png_has_the_pixels_of_its_inches),
        cmocka_unit_test(every_format_has_the_requested_width),
        cmocka_unit_test(letters_have_their_size_on_the_page),
        cmocka_unit_test(a_missing_font_is_rejected),
        cmocka_unit_test(paper_follows_the_theme),
        cmocka_unit_test(print_is_grey_unless_a_palette_is_named),
        cmocka_unit_test(ink_and_curves_show_on_every_paper),
        cmocka_unit_test(words_around_a_figure_are_a_choice),
        cmocka_unit_test(plain_labels_are_only_the_words),
        cmocka_unit_test(svg_text_is_text),
        cmocka_unit_test(xml_takes_any_letter),
        cmocka_unit_test(a_pdf_speaks),
        cmocka_unit_test(an_unexpected_pdf_stays_unchanged),
        cmocka_unit_test(tikz_is_tex),
    };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    arena_free(&arena);
    return failed;
}
