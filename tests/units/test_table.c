/* Tables, scales and palettes. */
#include <string.h>

#include "chart/scale.h"
#include "page/table.h"
#include "units/view_inputs.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

/* Replaces the C library's function, to count comparisons of texts. */
static long long compared;
int strcmp(const char *a, const char *b) {
    compared++;
    for (; *a && *a == *b; a++) b++;
    return (unsigned char)*a - (unsigned char)*b;
}

/* Rows that sum to 1, or to 0 if all of it is masked. */
static Tensor *shares(void) {
    static const Number number[] = {0.5F, 0.25F, 0.25F, 0, 0, 0};
    Axis axis[] = {{.name = "query", .size = 2, .label_rows = 1},
                   {.name = "key", .size = 3, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "weights", 2, axis);
    memcpy(tensor->data, number, sizeof number);
    return tensor;
}

static void table_folds_into_blocks(void **state) {
    (void)state;
    static const char *const row[] = {"I", "am"};
    static const char *const cell[] = {"0.31", "0.25", "0.44", "-1.00", "2.00", "3.00"};
    static const char *const column[] = {"나는", "internationalization", "학생"};
    Table table = {.corner = "query ↓",
                   .rows = 2,
                   .columns = 3,
                   .row_label = row,
                   .column_label = column,
                   .cell = cell};
    assert_string_equal(table_text(&table, 40, &arena),
                        "query ↓   나는  internationalization\n"
                        "I         0.31                  0.25\n"
                        "am       -1.00                  2.00\n"
                        "\n"
                        "query ↓  학생\n"
                        "I        0.44\n"
                        "am       3.00\n");
}

static void table_omits_the_middle_and_reports_it(void **state) {
    (void)state;
    Slice slice = slice_all(waves(30, 300));
    int count;
    Table table = table_matrix(matrix_list(&slice, NULL, &arena, &count), 2, &arena);
    table.rows_max = 4;
    table.all = "encoder.position[d_model=0:9]";
    const char *text = table_text(&table, 60, &arena);
    assert_in_range(widest_line(text), 20, 60);
    assert_non_null(strstr(text, "… 26 of 30 rows and 295 of 300 columns left out"));
    assert_non_null(strstr(text, "to see them: encoder.position[d_model=0:9]"));
}

/* A vocabulary may have a million words, and byte pairs give some the same label. */
static void labels_take_time_in_proportion_to_their_number(void **state) {
    (void)state;
    enum { WORDS = 10000, DIFFERENT = 9000 };
    const char **word = ARENA_ARRAY(&arena, const char *, WORDS);
    for (int i = 0; i < WORDS; i++) word[i] = arena_print(&arena, "w%d", i % DIFFERENT);
    Axis axis[] = {
        {.name = "target", .size = 1},
        {.name = "vocabulary", .size = WORDS, .labels = word, .label_rows = 1}};
    Slice slice = slice_all(tensor_new(&arena, "logits", 2, axis));
    int count;
    const Matrix *matrix = matrix_list(&slice, NULL, &arena, &count);
    compared = 0;
    const char **label = matrix_labels(matrix, true, &arena);
    assert_in_range(compared, 0, 20 * WORDS);
    for (int i = 0; i < WORDS; i++)
        if (strcmp(label[i], address_label(&axis[1], 0, i, &arena)) != 0)
            fail_msg("label %d is %s", i, label[i]);
    assert_string_equal(label[DIFFERENT], "w0#2");
    const Matrix part = matrix_part(matrix, DIFFERENT, DIFFERENT + 2);
    assert_string_equal(matrix_labels(&part, true, &arena)[1], "w1#2");
}

static void scale_follows_the_numbers(void **state) {
    (void)state;
    Slice whole = slice_all(shares());
    Slice both = slice_all(waves(3, 3));
    int count;
    Matrix *matrix = matrix_list(&whole, NULL, &arena, &count);
    Scale scale = scale_fit(matrix, count, SCALE_AUTO, NULL);
    assert_int_equal(scale.kind, SCALE_SHARES);
    assert_float_equal(scale.max, 1, 0);
    matrix = matrix_list(&both, NULL, &arena, &count);
    scale = scale_fit(matrix, count, SCALE_AUTO, NULL);
    assert_int_equal(scale.kind, SCALE_SIGNED);
    assert_float_equal(scale.min, -scale.max, 0);
    assert_float_equal(scale_strength(&scale, 0), 0.5F, 1e-6);
    assert_string_equal(scale_number(&scale, -0.001, &arena), "0.00");
}

static void ticks_are_round_numbers(void **state) {
    (void)state;
    double tick[TICKS_MAX];
    int decimals;
    assert_int_equal(scale_ticks(0, 1, 5, tick, &decimals), 6);
    assert_int_equal(decimals, 1);
    assert_float_equal(tick[1], 0.2F, 1e-6);
    assert_int_equal(scale_ticks(-130, 270, 4, tick, &decimals), 4);
    assert_int_equal(decimals, 0);
    assert_float_equal(tick[0], -100, 0);
    assert_int_equal(scale_ticks(3, 3, 5, tick, &decimals), 1);
}

static void palettes_go_from_end_to_end(void **state) {
    (void)state;
    for (int i = 0; i < palette_count; i++) {
        const Palette *palette = palette_find(palettes[i].name);
        assert_ptr_equal(palette, &palettes[i]);
        Color first = palette_color(palette, -1);
        Color last = palette_color(palette, 2);
        assert_int_equal((int)(first.red * 255 + 0.5), palette->point[0] >> 16);
        assert_int_equal((int)(last.blue * 255 + 0.5),
                         palette->point[palette->points - 1] & 255);
    }
    assert_null(palette_find("rainbow"));
    assert_true(palette_ink((Color){1, 1, 0})->red == 0);
    assert_ptr_equal(palette_ink((Color){0, 0, 1}), &color_white);
    assert_int_equal(palette_terminal((Color){1, 1, 1}), 231);
    assert_int_equal(palette_terminal((Color){1, 0, 0}), 196);
    assert_int_equal(palette_terminal((Color){0.5, 0.5, 0.5}), 244);
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_folds_into_blocks),
        cmocka_unit_test(table_omits_the_middle_and_reports_it),
        cmocka_unit_test(labels_take_time_in_proportion_to_their_number),
        cmocka_unit_test(scale_follows_the_numbers),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(palettes_go_from_end_to_end),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, forget);
}
