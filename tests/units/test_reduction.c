/* Reduced axes, and differences of slices. */
#include <math.h>
#include <string.h>

#include "explain/reduction.h"
#include "explain/subtraction.h"
#include "units/scratch.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

static const char *const words[] = {"나는", "mean", "<pad>"};

/* [head 2, query 3]: 0 1 2 | 10 11 12 */
static Tensor *numbers(void) {
    Axis axis[] = {{.name = "head", .size = 2, .label_rows = 1},
                   {.name = "query", .size = 3, .labels = words, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.x", 2, axis);
    tensor->step = STEP_NONE;
    for (int cell = 0; cell < 6; cell++)
        tensor->data[cell] = (Number)(cell / 3 * 10 + cell % 3);
    return tensor;
}

static Slice slice_of(const char *address, const Tensor *tensor) {
    const Record record = {0};
    Slice slice;
    Error error;
    if (!reduction_slice(&record, address, tensor, &arena, &slice, &error))
        fail_msg("%s: %s", address, error.message);
    return slice;
}

static void check(const char *address, int count, const double *expected) {
    Slice slice = slice_of(address, numbers());
    assert_int_equal(tensor_size(slice.tensor), count);
    for (int cell = 0; cell < count; cell++)
        assert_float_equal(slice.tensor->data[cell], expected[cell], 1e-6);
}

static void an_axis_is_put_together(void **state) {
    (void)state;
    check("encoder.0.x[head=mean]", 3, (const double[]){5, 6, 7});
    check("encoder.0.x[head=max]", 3, (const double[]){10, 11, 12});
    check("encoder.0.x[ head = min ]", 3, (const double[]){0, 1, 2});
    check("encoder.0.x", 6, (const double[]){0, 1, 2, 10, 11, 12});
}

static void padding_after_a_sentence_does_not_count(void **state) {
    (void)state;
    check("encoder.0.x[query=max]", 2, (const double[]){1, 11});
    check("encoder.0.x[query=min, head=mean]", 1, (const double[]){5});
}

static void other_items_stay(void **state) {
    (void)state;
    Slice slice = slice_of("encoder.0.x[query=나는, head=max]", numbers());
    assert_int_equal(slice_size(&slice), 1);
    assert_int_equal(slice.to[1], 1);
    assert_string_equal(slice.tensor->reduced[0], "max");
    assert_string_equal(axis_label(&slice.tensor->axis[0], 0, 0), "largest of 2");
}

static void a_label_that_is_called_so_goes_before(void **state) {
    (void)state;
    Slice slice = slice_of("encoder.0.x[query=mean]", numbers());
    assert_int_equal(slice.from[1], 1);
    assert_null(slice.tensor->reduced[1]);
    slice = slice_of("encoder.0.x[query=\"mean\", head=mean]", numbers());
    assert_int_equal(slice.from[1], 1);
}

static void nan_stays_nan(void **state) {
    (void)state;
    static const char *const reductions[] = {"mean", "max", "min"};
    for (int r = 0; r < 3; r++) {
        Tensor *tensor = numbers();
        tensor->data[0] = NAN;
        Slice slice = slice_of(
            arena_print(&arena, "encoder.0.x[head=%s]", reductions[r]), tensor);
        assert_true(isnan(slice.tensor->data[0]));
        assert_true(isfinite(slice.tensor->data[1]));
    }
}

static void infinities_that_are_equal_differ_by_nothing(void **state) {
    (void)state;
    Tensor *tensor = numbers();
    tensor->data[0] = tensor->data[3] = -INFINITY;
    Operand one = {.slice = slice_of("encoder.0.x[head=0]", tensor)};
    Operand other = {.slice = slice_of("encoder.0.x[head=1]", tensor)};
    Operand difference;
    Error error;
    assert_true(subtraction_slice(&one, &other, &arena, &difference, &error));
    assert_float_equal(difference.slice.tensor->data[0], 0, 0);
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_is_put_together),
        cmocka_unit_test(padding_after_a_sentence_does_not_count),
        cmocka_unit_test(other_items_stay),
        cmocka_unit_test(a_label_that_is_called_so_goes_before),
        cmocka_unit_test(nan_stays_nan),
        cmocka_unit_test(infinities_that_are_equal_differ_by_nothing),
    };
    return cmocka_run_group_tests_name("reduction", tests, NULL, forget);
}
