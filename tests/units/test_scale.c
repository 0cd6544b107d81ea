/* Scales with options: their ends, logarithms, and numbers outside. */
#include <math.h>
#include <string.h>

#include "figure/figure.h"
#include "units/scratch.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

/* One row of `count` numbers. */
static Slice row(const Number *number, int count) {
    Axis axis[] = {{.name = "token", .size = 1, .label_rows = 1},
                   {.name = "d_model", .size = count, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.input", 2, axis);
    memcpy(tensor->data, number, (size_t)count * sizeof *number);
    return slice_all(tensor);
}

static bool granted(const Number *number, int count, ScaleOptions options, Scale *scale,
                    Error *error) {
    Slice slice = row(number, count);
    int matrices;
    const Matrix *matrix = matrix_list(&slice, NULL, &arena, &matrices);
    *scale = scale_fit(matrix, matrices, SCALE_AUTO, NULL);
    return scale_apply(scale, &options, matrix, matrices, NULL, error);
}

static Scale scale_of(const Number *number, int count, ScaleOptions options) {
    Scale scale;
    Error error;
    if (!granted(number, count, options, &scale, &error)) fail_msg("%s", error.message);
    return scale;
}

static void a_range_clips_and_its_end_shows_it(void **state) {
    (void)state;
    const Number number[] = {0.2F, 2, 4};
    ScaleOptions options = {.ranged = true, .min = 0, .max = 3};
    Scale scale = scale_of(number, 3, options);
    assert_float_equal(scale_strength(&scale, 4), 1, 0);
    assert_float_equal(scale_strength(&scale, 1.5), 0.5, 1e-9);
    assert_string_equal(scale_end(&scale, true, &arena), "≥ 3.00");
    assert_string_equal(scale_end(&scale, false, &arena), "0.00");
    options.max = 4;
    scale = scale_of(number, 3, options);
    assert_string_equal(scale_end(&scale, true, &arena), "4.00");
}

static void zero_is_in_the_middle_only_of_symmetric_ranges(void **state) {
    (void)state;
    const Number number[] = {-1, 1, 2};
    ScaleOptions options = {.ranged = true, .min = -1.5, .max = 1.5};
    Scale scale = scale_of(number, 3, options);
    assert_int_equal(scale.kind, SCALE_SIGNED);
    assert_true(scale.palette->diverges);
    options.min = -1;
    scale = scale_of(number, 3, options);
    assert_int_equal(scale.kind, SCALE_SPAN);
    assert_false(scale.palette->diverges);
}

static void equal_factors_are_equal_distances(void **state) {
    (void)state;
    const Number number[] = {0, 0.002F, 0.02F, 7};
    Scale scale = scale_of(number, 4, (ScaleOptions){.logarithmic = true});
    assert_float_equal(scale.min, 0.001, 1e-12);
    assert_float_equal(scale.max, 10, 1e-9);
    double one = scale_strength(&scale, 0.02) - scale_strength(&scale, 0.002);
    double other = scale_strength(&scale, 5) - scale_strength(&scale, 0.5);
    assert_float_equal(one, 0.25, 1e-9);
    assert_float_equal(one, other, 1e-9);
    assert_float_equal(scale_at(&scale, scale_strength(&scale, 0.5)), 0.5, 1e-9);
    assert_true(scale.zeros);
    assert_true(scale_is_blank(&scale, 0));
    assert_false(scale_is_blank(&scale, 0.001));
    assert_string_equal(scale_shade(&scale, 0), " 0");
    assert_string_equal(scale_shade(&scale, 0.001), "··");
}

static void logarithms_are_marked_at_powers_of_ten(void **state) {
    (void)state;
    const Number number[] = {3e-6F, 0.5F};
    Scale scale = scale_of(number, 2, (ScaleOptions){.logarithmic = true});
    double tick[TICKS_MAX];
    int decimals;
    int ticks = scale_marks(&scale, 5, tick, &decimals);
    assert_int_equal(ticks, 7);
    assert_string_equal(scale_mark_text(&scale, tick[0], decimals, &arena), "10⁻⁶");
    assert_string_equal(scale_mark_text(&scale, tick[6], decimals, &arena), "1");
    assert_string_equal(scale_mark_text(&scale, 1e12, decimals, &arena), "10¹²");
}

static void numbers_without_a_logarithm_are_reported(void **state) {
    (void)state;
    const Number below[] = {-0.5F, 1};
    const Number none[] = {0, 0};
    const Number some[] = {0.1F, 1};
    Scale scale;
    Error error;
    assert_false(
        granted(below, 2, (ScaleOptions){.logarithmic = true}, &scale, &error));
    assert_non_null(strstr(error.message, "encoder.input has -0.5"));
    assert_false(granted(none, 2, (ScaleOptions){.logarithmic = true}, &scale, &error));
    assert_non_null(strstr(error.message, "above 0"));
    assert_false(granted(some, 2, (ScaleOptions){true, 0, 1, true}, &scale, &error));
    assert_non_null(strstr(error.message, "--range 0.001:1"));
}

/* Printed in gray, more must still look like more, with any palette. */
static void no_palette_has_equal_ends_for_0_to_1(void **state) {
    (void)state;
    const Color black = {0, 0, 0};
    const Number number[] = {0.25F, 0.75F};
    for (int p = 0; p < palette_count; p++) {
        Slice slice = row(number, 2);
        int count;
        const Matrix *matrix = matrix_list(&slice, NULL, &arena, &count);
        Scale scale = scale_fit(matrix, count, SCALE_SHARES, &palettes[p]);
        double min = palette_contrast(scale_color(&scale, 0), black);
        double max = palette_contrast(scale_color(&scale, 1), black);
        double before = min;
        for (int i = 1; i <= 20; i++) {
            double now = palette_contrast(scale_color(&scale, i / 20.0), black);
            assert_true(max > min ? now >= before - 1e-9 : now <= before + 1e-9);
            before = now;
        }
        assert_true(fmax(min, max) / fmin(min, max) > 4.5);
    }
}

static void figures_can_share_a_scale(void **state) {
    (void)state;
    const Number number[] = {1, 2};
    const Number larger[] = {1, 4};
    Slice slice[] = {row(number, 2), row(larger, 2)};
    Figure both = {.kind = FIGURE_GRID, .slice = slice, .slices = 2};
    Scale scale;
    Error error;
    assert_true(figure_scale(&both, &arena, &scale, &error));
    Figure alone = {.slice = slice, .slices = 1};
    const char *own = styled_text(figure_text(&alone, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(own, "1.00 ··░░▒▒▓▓██ 2.00"));
    alone.shared = &scale;
    const char *shared =
        styled_text(figure_text(&alone, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(shared, "1.00 ··░░▒▒▓▓██ 4.00"));
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_clips_and_its_end_shows_it),
        cmocka_unit_test(zero_is_in_the_middle_only_of_symmetric_ranges),
        cmocka_unit_test(equal_factors_are_equal_distances),
        cmocka_unit_test(logarithms_are_marked_at_powers_of_ten),
        cmocka_unit_test(numbers_without_a_logarithm_are_reported),
        cmocka_unit_test(no_palette_has_equal_ends_for_0_to_1),
        cmocka_unit_test(figures_can_share_a_scale),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, forget);
}
