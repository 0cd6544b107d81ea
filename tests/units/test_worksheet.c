/* Worksheets: which cells are empty, and that the key has their numbers. */
#include "units/recording_canvas.h"

#include "units/scratch.h"

static Error error;

static const char *const words[] = {"가", "나", "다", "라"};
enum { WORDS = 4 };

/* [query 4, key 4] in which the later words are masked; each row sums to 1. */
static unsigned char hidden[WORDS * WORDS];
static const unsigned char *const hidings[] = {hidden};

static Slice *causal(void) {
    Axis axis[] = {{.name = "query", .size = WORDS, .labels = words, .label_rows = 1},
                   {.name = "key", .size = WORDS, .labels = words, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "decoder.0.self_attention.weights", 2, axis);
    for (int q = 0; q < WORDS; q++)
        for (int k = 0; k < WORDS; k++) {
            hidden[q * WORDS + k] = k > q;
            tensor->data[q * WORDS + k] = k > q ? 0 : 1 / (Number)(q + 1);
        }
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = slice_all(tensor);
    return slice;
}

static Matrix matrix_of(const Slice *slice) {
    int count;
    return *matrix_list(slice, hidden, &arena, &count);
}

static int count_blank(const Matrix *matrix, int row) {
    int count = 0;
    for (int column = 0; column < matrix->columns; column++)
        count += worksheet_blank(matrix, row, column) == BLANK_EMPTY;
    return count;
}

static void test_a_fraction_of_the_cells_is_empty(void **state) {
    (void)state;
    static const struct {
        double share;
        int cells;
    } cases[] = {{0.001, 1}, {0.1, 1}, {0.3, 3}, {0.5, 5}, {1, 10}};
    for (size_t c = 0; c < COUNT(cases); c++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            Matrix matrix = matrix_of(causal());
            const Worksheet worksheet = {cases[c].share, seed, false};
            worksheet_choose(&worksheet, &matrix, 1, &arena);
            int empty = 0;
            for (int row = 0; row < WORDS; row++) {
                empty += count_blank(&matrix, row);
                for (int column = row + 1; column < WORDS; column++)
                    assert_int_equal(worksheet_blank(&matrix, row, column), BLANK_NOT);
            }
            assert_int_equal(empty, cases[c].cells);
        }
}

static void test_no_row_lacks_a_second_before_each_lacks_one(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Matrix matrix = matrix_of(causal());
        const Worksheet worksheet = {0.4, seed, false}; /* 4 of 10 */
        worksheet_choose(&worksheet, &matrix, 1, &arena);
        for (int row = 0; row < WORDS; row++)
            assert_int_equal(count_blank(&matrix, row), 1);
    }
}

static void test_a_masked_matrix_has_no_empty_cell(void **state) {
    (void)state;
    Matrix matrix = matrix_of(causal());
    memset(hidden, 1, sizeof hidden);
    const Worksheet worksheet = {0.5, 1, false};
    worksheet_choose(&worksheet, &matrix, 1, &arena);
    for (int row = 0; row < WORDS; row++)
        assert_int_equal(count_blank(&matrix, row), 0);
}

static Figure recording_figure(const Slice *slice, bool is_key) {
    return (Figure){.slice = slice,
                    .slices = 1,
                    .hidden = hidings,
                    .scale = SCALE_SHARES,
                    .title = "T",
                    .annotate = ANNOTATE_ALWAYS,
                    .row_sums = true,
                    .worksheet = {0.4, 3, is_key}};
}

static bool is_white(Color color) {
    return color.red == 1 && color.green == 1 && color.blue == 1;
}

static int white_boxes(const Recording *recording) {
    int count = 0;
    for (int i = 0; i < recording->boxes; i++)
        count += !recording->box[i].hatched && is_white(recording->box[i].color);
    return count;
}

static int numbers(const Recording *recording) {
    int count = 0;
    for (int w = 0; w < recording->words; w++) {
        const char *text = recording->word[w].text;
        count += strlen(text) == 4 && text[1] == '.' &&
                 recording->word[w].style.size > 0 &&
                 recording->word[w].style.align == ALIGN_MIDDLE;
    }
    return count;
}

static void test_the_sheet_lacks_the_numbers_and_the_key_has_them(void **state) {
    (void)state;
    const Slice *slice = causal();
    const Figure recording = recording_figure(slice, false);
    const Figure key = recording_figure(slice, true);
    const Recording *empty = recording_of(&recording, &arena);
    const Recording *filled = recording_of(&key, &arena);
    assert_int_equal(white_boxes(empty), 4);
    assert_int_equal(white_boxes(filled), 4);
    assert_int_equal(numbers(empty), 6);
    assert_int_equal(numbers(filled), 10);
    assert_non_null(recording_find(empty, "Worksheet: T", 0));
    assert_non_null(recording_find(filled, "Key to the worksheet: T", 0));
    for (int i = 0; i < empty->boxes; i++) {
        if (!is_white(empty->box[i].color) || empty->box[i].hatched) continue;
        assert_true(empty->box[i].box.width >= 40 && empty->box[i].box.height >= 28);
    }
    recording_check(empty, "recording");
    recording_check(filled, "key");
}

static void test_in_letters_there_is_a_line_to_write_on(void **state) {
    (void)state;
    const Slice *slice = causal();
    const Figure recording = recording_figure(slice, false);
    const Figure key = recording_figure(slice, true);
    const char *empty =
        styled_text(figure_text(&recording, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(empty, "가   ____ ╱"));
    assert_non_null(
        strstr(empty, "Worksheet: fill in the empty cells; each row sums to 1."));
    const char *filled =
        styled_text(figure_text(&key, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(filled, "가  *1.00 ╱"));
    assert_null(strstr(filled, "__"));
    slice->tensor->data[0] = 0.5F;
    const char *other =
        styled_text(figure_text(&recording, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(other, "Worksheet: fill in the empty cells.\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fraction_of_the_cells_is_empty),
        cmocka_unit_test(test_no_row_lacks_a_second_before_each_lacks_one),
        cmocka_unit_test(test_a_masked_matrix_has_no_empty_cell),
        cmocka_unit_test(test_the_sheet_lacks_the_numbers_and_the_key_has_them),
        cmocka_unit_test(test_in_letters_there_is_a_line_to_write_on),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
