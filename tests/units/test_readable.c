/* Is a figure readable? Contrast, names, titles, scales: on a canvas that records what
 * is drawn, and in files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "canvas/letters.h"
#include "figure/figure_draw.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

static Arena arena;
static Error error;

enum { NOTED_MAX = 4096 };

/* The texts and their positions, and the filled boxes. */
typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Notes * */
    const char *text[NOTED_MAX];
    Point at[NOTED_MAX];
    Style style[NOTED_MAX];
    Box box[NOTED_MAX];
    Stroke stroke[NOTED_MAX];
    int texts, boxes, strokes;
} Notes;

static bool note_begin(Canvas *canvas, double width, double height, Error *problem) {
    (void)canvas;
    (void)problem;
    return width > 0 && height > 0;
}

static void note_fill(Canvas *canvas, Box box, Color color) {
    Notes *notes = (Notes *)canvas;
    (void)color;
    notes->box[notes->boxes++ % NOTED_MAX] = box;
}

static void note_hatch(Canvas *canvas, Box box) {
    (void)canvas;
    (void)box;
}

static void note_line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    Notes *notes = (Notes *)canvas;
    (void)point;
    (void)count;
    notes->stroke[notes->strokes++ % NOTED_MAX] = stroke;
}

static void note_text(Canvas *canvas, Point at, Style style, const char *text) {
    Notes *notes = (Notes *)canvas;
    int t = notes->texts++ % NOTED_MAX;
    notes->text[t] = arena_copy(&arena, text, strlen(text));
    notes->at[t] = at;
    notes->style[t] = style;
}

static double note_measure(Canvas *canvas, Style style, const char *text) {
    (void)canvas;
    (void)style;
    return 7.0 * (double)strlen(text);
}

/* Draw the figure as a picture. */
static Notes *drawn(const Figure *figure) {
    Notes *notes = ARENA_ARRAY(&arena, Notes, 1);
    notes->canvas = (Canvas){
        .arena = &arena,
        .metrics = {.line = 19, .letter = 7, .gap = 8, .margin = 18, .colors = true},
        .begin = note_begin,
        .fill = note_fill,
        .hatch = note_hatch,
        .line = note_line,
        .text = note_text,
        .measure = note_measure};
    Work work = {
        .figure = figure, .canvas = &notes->canvas, .arena = &arena, .whole = true};
    if (!figure_draw(&work, &error)) fail_msg("%s", error.message);
    return notes;
}

static bool wrote(const Notes *notes, const char *text) {
    for (int t = 0; t < notes->texts; t++)
        if (strcmp(notes->text[t], text) == 0) return true;
    return false;
}

static int place_of(const Notes *notes, const char *text) {
    for (int t = 0; t < notes->texts; t++)
        if (strcmp(notes->text[t], text) == 0) return t;
    fail_msg("'%s' was not written", text);
    return 0;
}

/* [head, query, key], all keys of a query have the same weight. */
static Tensor *weights(int heads, int queries, int keys, bool words) {
    const char **word = ARENA_ARRAY(&arena, const char *, queries + keys);
    for (int i = 0; i < queries + keys; i++) word[i] = arena_print(&arena, "w%d", i);
    Axis axis[] = {
        {.name = "head", .size = heads, .label_rows = 1},
        {.name = "query",
         .size = queries,
         .labels = words ? word : NULL,
         .label_rows = 1},
        {.name = "key", .size = keys, .labels = words ? word : NULL, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.self_attention.weights", 3, axis);
    for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] = 1 / (Number)keys;
    return tensor;
}

static Figure figure_of(const Tensor *tensor, FigureKind kind) {
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = slice_all(tensor);
    return (Figure){.kind = kind, .slice = slice, .slices = 1};
}

static void numbers_contrast_with_every_colour(void **state) {
    (void)state;
    for (int p = 0; p < palette_count; p++)
        for (int i = 0; i <= 1000; i++) {
            Color paper = palette_color(&palettes[p], i / 1000.0);
            if (palette_contrast(paper, *palette_ink(paper)) < 4.5)
                fail_msg("%s at %d", palettes[p].name, i);
        }
}

static void the_ends_of_0_to_1_differ_in_every_palette(void **state) {
    (void)state;
    for (int p = 0; p < palette_count; p++) {
        Scale scale = {.kind = SCALE_SHARES, .max = 1, .palette = &palettes[p]};
        double contrast =
            palette_contrast(scale_color(&scale, 0), scale_color(&scale, 1));
        if (contrast < 4.5) fail_msg("%s: %f", palettes[p].name, contrast);
    }
}

static void every_word_is_at_its_row_and_column(void **state) {
    (void)state;
    Figure figure = figure_of(weights(1, 90, 60, true), FIGURE_HEATMAP);
    const Notes *notes = drawn(&figure);
    for (int i = 0; i < 90; i++)
        assert_true(wrote(notes, arena_print(&arena, "w%d", i)));
}

static void titles_of_a_grid_are_centered_on_its_cells(void **state) {
    (void)state;
    Figure figure = figure_of(weights(4, 5, 5, true), FIGURE_GRID);
    const Notes *notes = drawn(&figure);
    double left = INFINITY;
    double right = 0;
    for (int b = 0; b < notes->boxes; b++) {
        if (notes->box[b].width == 16) continue; /* of the color bar */
        left = fmin(left, notes->box[b].x);
        right = fmax(right, notes->box[b].x + notes->box[b].width);
    }
    int title = place_of(notes, "key: gets the weight");
    assert_true(fabs(notes->at[title].x - (left + right) / 2) < 1.5);
}

static void heads_of_several_layers_are_aligned(void **state) {
    (void)state;
    Slice slice[] = {slice_all(weights(32, 4, 4, true)),
                     slice_all(weights(32, 4, 4, true))};
    Figure figure = {.kind = FIGURE_GRID, .slice = slice, .slices = 2};
    const Notes *notes = drawn(&figure);
    double right = 0;
    for (int b = 0; b < notes->boxes; b++)
        right = fmax(right, notes->box[b].x + notes->box[b].width);
    assert_true(right < 1600);
}

static void both_ends_of_a_scale_have_their_number(void **state) {
    (void)state;
    Tensor *tensor = weights(1, 4, 4, false);
    tensor->data[3] = -3.92F;
    Figure figure = figure_of(tensor, FIGURE_HEATMAP);
    figure.annotate = ANNOTATE_NEVER;
    const Notes *notes = drawn(&figure);
    assert_true(wrote(notes, "3.92"));
    assert_true(wrote(notes, "-3.92"));
}

static void a_title_names_the_part_that_is_shown(void **state) {
    (void)state;
    Figure figure = figure_of(weights(4, 5, 6, false), FIGURE_GRID);
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = figure.slice[0];
    slice->from[0] = 2;
    slice->to[0] = 4;
    slice->from[2] = 1;
    slice->to[2] = 4;
    figure.slice = slice;
    const char *text =
        styled_text(figure_text(&figure, 100, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(text, "weights, head 2 to 3, key 1 to 3\n"));
}

static void sloping_words_reach_over_their_neighbour_at_most(void **state) {
    (void)state;
    Notes *notes =
        drawn(&(Figure){.kind = FIGURE_HEATMAP,
                        .slice = (Slice[]){slice_all(weights(1, 3, 3, true))},
                        .slices = 1});
    static const char *const words[] = {"somewhat", "longer1", "words12"};
    Labels labels = labels_across(&notes->canvas, words, 3, 40, true, false);
    assert_true(labels.hang > 0);
    assert_true(labels.hang * note_measure(&notes->canvas, labels.style, words[0]) <
                40);
}

static void ids_share_no_scale_with_numbers(void **state) {
    (void)state;
    Slice slice[] = {slice_all(weights(1, 4, 4, true)),
                     slice_all(weights(1, 4, 4, true))};
    Tensor *ids = weights(1, 4, 4, true);
    ids->holds_ids = true;
    slice[1].tensor = ids;
    Figure figure = {.kind = FIGURE_GRID, .slice = slice, .slices = 2};
    assert_null(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(error.message, "cannot share a scale"));
}

static void a_strip_is_rejected_with_a_suggestion(void **state) {
    (void)state;
    Figure figure = figure_of(weights(1, 3, 8000, false), FIGURE_HEATMAP);
    const char *warning;
    assert_false(
        figure_save(&figure, "/tmp/strip.png", false, &arena, &warning, &error));
    assert_non_null(strstr(error.message, "[key=0:50]"));
    assert_false(file_exists("/tmp/strip.png"));
}

static void no_two_curves_look_alike_and_neighbours_differ_in_grey(void **state) {
    (void)state;
    enum { CURVES = 24 };
    int column[CURVES];
    for (int i = 0; i < CURVES; i++) column[i] = i;
    Figure figure = figure_of(weights(1, 5, CURVES, false), FIGURE_CURVES);
    figure.dimension = column;
    figure.dimensions = CURVES;
    const Notes *notes = drawn(&figure);
    Stroke curve[CURVES];
    int curves = 0;
    for (int s = 0; s < notes->strokes && curves < CURVES; s++)
        if (notes->stroke[s].mark) curve[curves++] = notes->stroke[s];
    assert_int_equal(curves, CURVES);
    for (int a = 0; a < CURVES; a++)
        for (int b = 0; b < a; b++)
            assert_false(curve[a].dash == curve[b].dash &&
                         memcmp(&curve[a].color, &curve[b].color, sizeof(Color)) == 0);
    for (int i = 1; i < CURVES; i++)
        assert_int_not_equal(curve[i].dash, curve[i - 1].dash);
}

static void places_are_counted_in_whole_numbers(void **state) {
    (void)state;
    Figure figure = figure_of(weights(1, 4, 2, false), FIGURE_CURVES);
    const Notes *notes = drawn(&figure);
    for (int t = 0; t < notes->texts; t++)
        if (notes->at[t].y > 390) assert_null(strstr(notes->text[t], ".5"));
    assert_true(wrote(notes, "2"));
}

static void words_of_curves_stay_clear_of_the_axis(void **state) {
    (void)state;
    Figure figure = figure_of(weights(1, 4, 2, true), FIGURE_CURVES);
    const Notes *notes = drawn(&figure);
    int word = place_of(notes, "w0");
    double lowest = 0;
    double right = 0;
    for (int t = 0; t < notes->texts; t++)
        if (notes->style[t].align == ALIGN_END) {
            lowest = fmax(lowest, notes->at[t].y);
            right = fmax(right, notes->at[t].x);
        }
    double start = notes->at[word].x - note_measure(NULL, (Style){0}, "w0") / 2;
    assert_true(start > right || notes->at[word].y > lowest + 19);
}

static void a_warning_names_a_font_that_has_the_letters(void **state) {
    (void)state;
    assert_string_equal(letters_package("나는 학생"), "fonts-nanum");
    assert_string_equal(letters_package("나는 \U0001F600"), "fonts-noto-color-emoji");
    assert_string_equal(letters_package("漢字"), "fonts-noto-cjk");
    assert_string_equal(letters_package("ა"), "fonts-noto-core");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_contrast_with_every_colour),
        cmocka_unit_test(the_ends_of_0_to_1_differ_in_every_palette),
        cmocka_unit_test(every_word_is_at_its_row_and_column),
        cmocka_unit_test(titles_of_a_grid_are_centered_on_its_cells),
        cmocka_unit_test(heads_of_several_layers_are_aligned),
        cmocka_unit_test(both_ends_of_a_scale_have_their_number),
        cmocka_unit_test(a_title_names_the_part_that_is_shown),
        cmocka_unit_test(sloping_words_reach_over_their_neighbour_at_most),
        cmocka_unit_test(ids_share_no_scale_with_numbers),
        cmocka_unit_test(a_strip_is_rejected_with_a_suggestion),
        cmocka_unit_test(no_two_curves_look_alike_and_neighbours_differ_in_grey),
        cmocka_unit_test(places_are_counted_in_whole_numbers),
        cmocka_unit_test(words_of_curves_stay_clear_of_the_axis),
        cmocka_unit_test(a_warning_names_a_font_that_has_the_letters),
    };
    int failed = cmocka_run_group_tests_name("readable", tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
