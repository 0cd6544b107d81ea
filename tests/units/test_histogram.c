/* Numbers counted in bins: the number of bins, their contents, and numbers that are
 * counted separately. */
#include "units/recording_canvas.h"

#include "figure/figure_draw.h"
#include "units/scratch.h"

static Error error;

static Tensor *tensor_of(const char *name, const Number *number, int count) {
    Axis axis = {.name = "feature", .size = count, .label_rows = 1};
    Tensor *tensor = tensor_new(&arena, name, 1, &axis);
    memcpy(tensor->data, number, (size_t)count * sizeof *number);
    return tensor;
}

static int sum_of(const Histogram *histogram, int s) {
    int sum = 0;
    for (int b = 0; b < histogram->bins; b++) sum += histogram->slice[s].count[b];
    return sum;
}

/* 0, 1 ... 999 in a shuffled order. */
static Tensor *thousand(void) {
    Number number[1000];
    for (int i = 0; i < 1000; i++) number[i] = (Number)(i * 7 % 1000);
    return tensor_of("thousand", number, 1000);
}

static void test_the_bins_are_those_of_freedman_and_diaconis(void **state) {
    (void)state;
    const Slice slice = slice_all(thousand());
    const Histogram histogram = histogram_of(&slice, NULL, 1, &arena);
    /* IQR 499.5, so 2 * 499.5 / 10 = 99.9, and 999 / 99.9 = 10. */
    assert_int_equal(histogram.bins, 10);
    for (int b = 0; b < 10; b++) assert_int_equal(histogram.slice[0].count[b], 100);
    const Counted *counted = &histogram.slice[0];
    assert_int_equal(counted->numbers, 1000);
    assert_true(fabs(counted->mean - 499.5) < 1e-9);
    assert_true(fabs(counted->deviation - sqrt((1000.0 * 1000 - 1) / 12)) < 1e-9);
    assert_true(counted->min == 0 && counted->max == 999);
}

static void test_there_are_neither_too_few_nor_too_many_bins(void **state) {
    (void)state;
    static Number number[5000];
    for (int i = 0; i < 5000; i++) number[i] = (Number)(i % 100) / 1000;
    number[0] = -50; /* far from all others */
    const Slice far = slice_all(tensor_of("far", number, 5000));
    assert_int_equal(histogram_of(&far, NULL, 1, &arena).bins, HISTOGRAM_MAX);
    const Slice few = slice_all(tensor_of("few", number, 3));
    assert_int_equal(histogram_of(&few, NULL, 1, &arena).bins, HISTOGRAM_MIN);
    const Slice two = slice_all(tensor_of("two", number, 2));
    const Histogram histogram = histogram_of(&two, NULL, 1, &arena);
    assert_int_equal(histogram.slice[0].count[0], 1);
    assert_int_equal(histogram.slice[0].count[histogram.bins - 1], 1);
}

static void test_equal_numbers_are_one_bin(void **state) {
    (void)state;
    static const Number number[] = {3, 3, 3};
    const Slice slice = slice_all(tensor_of("same", number, 3));
    const Histogram histogram = histogram_of(&slice, NULL, 1, &arena);
    assert_int_equal(histogram.bins, 1);
    assert_int_equal(histogram.slice[0].count[0], 3);
    assert_true(histogram_edge(&histogram, 0) < 3 && histogram_edge(&histogram, 1) > 3);
}

static void test_ids_have_a_bin_each(void **state) {
    (void)state;
    static const Number number[] = {5, 7, 7, 9};
    Tensor *tensor = tensor_of("ids", number, 4);
    tensor->holds_ids = true;
    const Slice slice = slice_all(tensor);
    const Histogram histogram = histogram_of(&slice, NULL, 1, &arena);
    static const int expected[] = {1, 0, 2, 0, 1};
    assert_int_equal(histogram.bins, 5);
    for (int b = 0; b < 5; b++)
        assert_int_equal(histogram.slice[0].count[b], expected[b]);
}

static void test_nan_is_counted_separately(void **state) {
    (void)state;
    static const Number number[] = {1, 2, NAN, INFINITY, -INFINITY, 3, 100};
    static const unsigned char hidden[] = {0, 0, 0, 0, 0, 0, 1};
    static const unsigned char *const hidings[] = {hidden};
    const Slice slice = slice_all(tensor_of("odd", number, 7));
    const Histogram histogram = histogram_of(&slice, hidings, 1, &arena);
    const Counted *counted = &histogram.slice[0];
    assert_int_equal(counted->numbers, 3);
    assert_int_equal(counted->not_numbers, 1);
    assert_int_equal(counted->infinite, 2);
    assert_int_equal(counted->masked, 1);
    assert_true(counted->max == 3);
    assert_int_equal(sum_of(&histogram, 0), 3);
    const Figure figure = {
        .kind = FIGURE_HISTOGRAM, .slice = &slice, .slices = 1, .hidden = hidings};
    const char *text =
        styled_text(figure_text(&figure, 200, COLORS_NONE, &arena, &error));
    assert_non_null(
        strstr(text, "3 numbers, mean 2, standard deviation 0.8165, min 1, max 3; "
                     "not counted: 1 masked, 2 infinite, 1 not a number."));
    static const Number nothing[] = {NAN, INFINITY};
    const Slice empty = slice_all(tensor_of("nothing", nothing, 2));
    const Figure none = {.kind = FIGURE_HISTOGRAM, .slice = &empty, .slices = 1};
    assert_null(figure_text(&none, 80, COLORS_NONE, &arena, &error));
    assert_string_equal(error.message, "nothing has no finite number to count");
}

static void test_slices_share_their_bins(void **state) {
    (void)state;
    static const Number low[] = {0, 1, 2, 3};
    static const Number high[] = {7, 8, 9, 10};
    const Slice slices[] = {slice_all(tensor_of("encoder.0.norm_1", low, 4)),
                            slice_all(tensor_of("encoder.1.norm_1", high, 4))};
    const Histogram histogram = histogram_of(slices, NULL, 2, &arena);
    assert_true(histogram.from == 0 &&
                fabs(histogram_edge(&histogram, histogram.bins) - 10) < 1e-9);
    for (int s = 0; s < 2; s++) assert_int_equal(sum_of(&histogram, s), 4);
    assert_int_equal(histogram.slice[0].count[histogram.bins - 1], 0);
    const Figure figure = {.kind = FIGURE_HISTOGRAM, .slice = slices, .slices = 2};
    const Recording *recording = recording_of(&figure, &arena);
    recording_check(recording, "two");
    assert_non_null(recording_find(recording, "encoder.0", 0));
    assert_non_null(recording_find(recording, "encoder.1", 0));
    assert_non_null(
        recording_find(recording, "norm_1", 1)); /* above it, and along the axis */
    assert_int_equal(recording->boxes, 0); /* curves; only a single one is filled */
}

static void test_a_part_is_counted_separately(void **state) {
    (void)state;
    Slice slice = slice_all(thousand());
    slice.to[0] = 10;
    const Histogram histogram = histogram_of(&slice, NULL, 1, &arena);
    assert_int_equal(histogram.slice[0].numbers, 10);
    assert_true(histogram.slice[0].max == 63);
}

static void test_the_bars_are_as_high_as_their_counts(void **state) {
    (void)state;
    static const Number number[] = {0, 0, 0, 0, 1, 1, 5, 10};
    const Slice slice = slice_all(tensor_of("numbers", number, 8));
    const Figure figure = {.kind = FIGURE_HISTOGRAM, .slice = &slice, .slices = 1};
    const Recording *recording = recording_of(&figure, &arena);
    recording_check(recording, "bars");
    double highest = 0;
    for (int i = 0; i < recording->boxes; i++)
        highest = fmax(highest, recording->box[i].box.height);
    const Histogram histogram = histogram_of(&slice, NULL, 1, &arena);
    int filled = 0;
    for (int b = 0; b < histogram.bins; b++) {
        int count = histogram.slice[0].count[b];
        if (!count) continue;
        assert_true(fabs(recording->box[filled++].box.height - highest * count / 4) <
                    1e-6);
    }
    assert_int_equal(filled, recording->boxes);
    const char *text =
        styled_text(figure_text(&figure, 60, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(text, " 0.0 …  1.0 │████"));
    assert_non_null(strstr(text, "│ 0\n"));
}

static void test_small_and_large_numbers_have_a_unit(void **state) {
    (void)state;
    static const Number sizes[] = {2e-7F, 1, 3e9F, 1e30F};
    static const char *const title[] = {"numbers  (× 1e-7)", "numbers",
                                        "numbers  (× 1e9)", "numbers  (× 1e30)"};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const Number number[] = {sizes[i], -sizes[i], sizes[i] / 2};
        const Slice slice = slice_all(tensor_of("numbers", number, 3));
        const Figure figure = {
            .kind = FIGURE_HISTOGRAM, .slice = &slice, .slices = 1, .title = ""};
        const Recording *recording = recording_of(&figure, &arena);
        assert_non_null(recording_find(recording, title[i], 0));
        recording_check(recording, title[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bins_are_those_of_freedman_and_diaconis),
        cmocka_unit_test(test_there_are_neither_too_few_nor_too_many_bins),
        cmocka_unit_test(test_equal_numbers_are_one_bin),
        cmocka_unit_test(test_ids_have_a_bin_each),
        cmocka_unit_test(test_nan_is_counted_separately),
        cmocka_unit_test(test_slices_share_their_bins),
        cmocka_unit_test(test_a_part_is_counted_separately),
        cmocka_unit_test(test_the_bars_are_as_high_as_their_counts),
        cmocka_unit_test(test_small_and_large_numbers_have_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
