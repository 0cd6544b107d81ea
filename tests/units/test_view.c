/* Figures as characters. Pictures: test_picture.c; tables, scales: test_table.c. */
#include <string.h>

#include "figure/figure.h"
#include "units/view_inputs.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

static const char *const korean[] = {"나는", "학생", "나는"};
static const char *const english[] = {"I", "am", "<end>", "a"};

/* Weights [head 2, query 2, key 3]: labels and lengths differ between the sides. */
static Tensor *weights(void) {
    static const Number number[] = {0.5F, 0.25F, 0.25F, 0, 1, 0,
                                    0.1F, 0.2F,  0.7F,  1, 0, 0};
    Axis axis[] = {{.name = "head", .size = 2, .label_rows = 1},
                   {.name = "query", .size = 2, .labels = english, .label_rows = 1},
                   {.name = "key", .size = 3, .labels = korean, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.self_attention.weights", 3, axis);
    memcpy(tensor->data, number, sizeof number);
    return tensor;
}

static Slice head(const Tensor *tensor, int number) {
    Slice slice = slice_all(tensor);
    slice.from[0] = number;
    slice.to[0] = number + 1;
    return slice;
}

static const char *draw(Figure figure, int width, Colors colors) {
    Error error;
    const char *text = styled_text(figure_text(&figure, width, colors, &arena, &error));
    if (!text) fail_msg("%s", error.message);
    return text;
}

static void heatmap_is_text_with_numbers_labels_and_sums(void **state) {
    (void)state;
    Slice slice = head(weights(), 0);
    Fact fact[] = {{"sentence", "I am"}, {"seed", "7"}};
    Figure figure = {
        .slice = &slice, .slices = 1, .row_sums = true, .fact = fact, .facts = 2};
    assert_string_equal(draw(figure, 80, COLORS_NONE),
                        "encoder.0.self_attention.weights, head 0\n"
                        "\n"
                        "query: attends to the keys ↓   key: gets the weight →\n"
                        "      나는   학생 나는#2    sum\n"
                        " I    0.50   0.25   0.25   1.00\n"
                        "am    0.00   1.00   0.00   1.00\n"
                        "\n"
                        "0.00 ··░░▒▒▓▓██ 1.00  weight or probability, always 0 to 1\n"
                        "\n"
                        "sentence: I am   ·   seed: 7\n");
}

static void grid_shows_every_head_as_shades(void **state) {
    (void)state;
    Slice slice = slice_all(weights());
    Figure figure = {.kind = FIGURE_GRID, .slice = &slice, .slices = 1};
    assert_string_equal(draw(figure, 80, COLORS_NONE),
                        "encoder.0.self_attention.weights\n"
                        "\n"
                        "query: attends to the keys ↓   key: gets the weight →\n"
                        "head 0     head 1\n"
                        "       나      나\n"
                        "       는      는\n"
                        "   나학#   나학#\n"
                        "   는생2   는생2\n"
                        " I ▒▒░░░░  ··░░▓▓\n"
                        "am   ██    ██\n"
                        "\n"
                        "0.00 ··░░▒▒▓▓██ 1.00  weight or probability, always 0 to 1\n");
}

static void cells_without_a_value_are_hatched(void **state) {
    (void)state;
    Tensor *tensor = waves(2, 3);
    tensor->data[0] = -INFINITY;
    tensor->data[4] = NAN;
    unsigned char hidden[6] = {0, 0, 0, 0, 0, 1};
    const unsigned char *each[] = {hidden};
    Slice slice = slice_all(tensor);
    Figure figure = {.slice = &slice, .slices = 1, .hidden = each};
    assert_string_equal(draw(figure, 80, COLORS_NONE),
                        "encoder.position\n"
                        "\n"
                        "token ↓   d_model →\n"
                        "      0    1    2\n"
                        "0  ╱╱╱╱ 0.64 0.99\n"
                        "1  0.86 ╱╱╱╱ ╱╱╱╱\n"
                        "\n"
                        "0.64 ··░░▒▒▓▓██ 0.99  value, min to max   ╱╱ masked, or "
                        "not a number\n");
}

static void rows_are_queries_and_columns_are_keys(void **state) {
    (void)state;
    Slice slice = slice_all(weights());
    int count;
    Matrix *matrix = matrix_list(&slice, NULL, &arena, &count);
    assert_int_equal(count, 2);
    assert_int_equal(matrix[1].rows, 2);
    assert_int_equal(matrix[1].columns, 3);
    assert_string_equal(matrix_axis(&matrix[1], false)->name, "query");
    assert_string_equal(matrix_axis(&matrix[1], true)->name, "key");
    assert_string_equal(matrix_heading(&matrix[1], false, &arena), "head 1");
    assert_float_equal(matrix_value(&matrix[1], 0, 2), 0.7F, 1e-6);
}

static void slice_of_one_row_keeps_its_axes(void **state) {
    (void)state;
    Slice slice = head(weights(), 1);
    slice.from[1] = 1; /* one query */
    int count;
    Matrix *matrix = matrix_list(&slice, NULL, &arena, &count);
    assert_int_equal(count, 1);
    assert_string_equal(matrix_axis(matrix, false)->name, "query");
    assert_string_equal(matrix_labels(matrix, false, &arena)[0], "am");
    assert_float_equal(matrix_value(matrix, 0, 0), 1, 1e-6);
}

static void heads_of_a_single_word_stay_apart(void **state) {
    (void)state;
    Axis axis[] = {{.name = "batch", .size = 2, .label_rows = 1},
                   {.name = "head", .size = 2, .label_rows = 1},
                   {.name = "query", .size = 1, .labels = english, .label_rows = 1},
                   {.name = "key", .size = 1, .labels = korean, .label_rows = 1}};
    Slice slice = slice_all(tensor_new(&arena, "weights", 4, axis));
    int count;
    Matrix *matrix = matrix_list(&slice, NULL, &arena, &count);
    assert_int_equal(count, 4);
    assert_string_equal(matrix_axis(&matrix[3], false)->name, "query");
    assert_string_equal(matrix_axis(&matrix[3], true)->name, "key");
    assert_string_equal(matrix_heading(&matrix[2], false, &arena), "batch 1, head 0");
}

static void several_matrices_cannot_be_a_heatmap(void **state) {
    (void)state;
    Slice slice = slice_all(weights());
    Figure figure = {.slice = &slice, .slices = 1};
    Error error;
    assert_null(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(error.message, "2 matrices"));
}

static void no_line_is_wider_than_requested(void **state) {
    (void)state;
    Slice slices[] = {head(weights(), 0),       slice_all(weights()),
                      slice_all(waves(40, 40)), slice_all(waves(1, 300)),
                      slice_all(waves(300, 1)), slice_all(waves(1, 1))};
    Fact fact[] = {{"command", "glassbox draw 'encoder.position[token=0:40, "
                               "d_model=0:40]' --source '나는 학생입니다' -o a.png"}};
    static const int width[] = {40, 80, 200};
    for (int i = 0; i < 6; i++)
        for (int w = 0; w < 3; w++)
            for (Colors colors = COLORS_NONE; colors <= COLORS_TRUE; colors++)
                for (FigureKind kind = FIGURE_HEATMAP; kind <= FIGURE_CURVES; kind++) {
                    Figure figure = {.kind = kind,
                                     .slice = &slices[i],
                                     .slices = 1,
                                     .row_sums = true,
                                     .fact = fact,
                                     .facts = 1};
                    if (i == 1) figure.kind = FIGURE_GRID;
                    const char *text = draw(figure, width[w], colors);
                    assert_in_range(widest_line(text), 10, width[w]);
                }
}

/* The figure as a terminal gets it. */
static const char *printed(Figure figure, Colors colors) {
    Error error;
    Builder text = {.arena = &arena};
    FILE *out = builder_stream(&text);
    const Styled *lines = figure_text(&figure, 80, colors, &arena, &error);
    styled_write(lines, 0, lines->text.count, colors, out);
    fclose(out);
    return builder_text(&text);
}

static void colors_have_the_requested_depth(void **state) {
    (void)state;
    Slice slice = head(weights(), 0);
    Figure figure = {.slice = &slice, .slices = 1};
    assert_null(strchr(printed(figure, COLORS_NONE), '\x1b'));
    assert_non_null(strstr(printed(figure, COLORS_256), "48;5;"));
    assert_null(strstr(printed(figure, COLORS_256), "48;2;"));
    /* 1 is the last color of viridis, and black text is readable on it. */
    const char *text = printed(figure, COLORS_TRUE);
    assert_non_null(strstr(text, "38;2;0;0;0;48;2;253;231;37m1.00"));
}

static void large_tensors_report_omitted_parts(void **state) {
    (void)state;
    Slice slice = slice_all(waves(500, 2));
    Figure figure = {.slice = &slice, .slices = 1};
    const char *text = draw(figure, 80, COLORS_NONE);
    assert_non_null(strstr(text, "Left out: token 100 to 499; choose them with "
                                 "[token=100:200]."));
}

static void curves_name_their_dimensions(void **state) {
    (void)state;
    Slice slice = slice_all(waves(20, 8));
    int dimension[] = {1, 7};
    Figure figure = {.kind = FIGURE_CURVES,
                     .slice = &slice,
                     .slices = 1,
                     .dimension = dimension,
                     .dimensions = 2};
    const char *text = draw(figure, 80, COLORS_NONE);
    assert_non_null(strstr(text, "oo d_model 1"));
    assert_non_null(strstr(text, "xx d_model 7"));
    dimension[1] = 8;
    Error error;
    assert_null(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_string_equal(error.message,
                        "encoder.position has no d_model 8 here; there are 0 to 7");
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heatmap_is_text_with_numbers_labels_and_sums),
        cmocka_unit_test(grid_shows_every_head_as_shades),
        cmocka_unit_test(cells_without_a_value_are_hatched),
        cmocka_unit_test(rows_are_queries_and_columns_are_keys),
        cmocka_unit_test(slice_of_one_row_keeps_its_axes),
        cmocka_unit_test(heads_of_a_single_word_stay_apart),
        cmocka_unit_test(several_matrices_cannot_be_a_heatmap),
        cmocka_unit_test(no_line_is_wider_than_requested),
        cmocka_unit_test(colors_have_the_requested_depth),
        cmocka_unit_test(large_tensors_report_omitted_parts),
        cmocka_unit_test(curves_name_their_dimensions),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, forget);
}
