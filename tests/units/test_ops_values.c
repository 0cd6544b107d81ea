/* Properties of single operations beyond test_ops.c: their values and their texts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/threads.h"
#include "kernel/few_rows.h"
#include "ops/ops.h"
#include "units/counting.h"

#include <cmocka.h> /* last: it has a macro named fail */

static Tensor *filled(Tensor *tensor, const double *value) {
    for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] = (Number)value[i];
    return tensor;
}
#define FILLED(tensor, ...) filled(tensor, (double[]){__VA_ARGS__})

static void assert_near(double found, double expected) {
    double tolerance = sizeof(Number) == sizeof(double) ? 1e-12 : 1e-5;
    if (found == expected) return;
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("found %.12g, expected %.12g", found, expected);
}

static void assert_cells(const Tensor *tensor, const double *expected) {
    for (int i = 0; i < tensor_size(tensor); i++)
        assert_near((double)tensor->data[i], expected[i]);
}
#define ASSERT_CELLS(tensor, ...) assert_cells(tensor, (double[]){__VA_ARGS__})

static Explanation explained(Tape *tape, const Tensor *tensor, int cell) {
    Explanation explanation = {0};
    const Step *step = &tape->step[tensor->step];
    step->op->explain(step, cell, &tape->arena, &explanation);
    return explanation;
}

static void the_same_tensor_twice_gets_both_gradients(void **state) {
    (void)state;
    Tape tape = {.learns = true};
    Tensor *x = COUNTING(&tape, "x", 2, 1, 3);
    Tensor *y = dot(&tape, "y", add(&tape, "twice", x, x), x);
    tape_backward(&tape, y);
    for (int i = 0; i < 3; i++) assert_near((double)x->grad[i], 4 * (double)x->data[i]);
    tape_free(&tape);
}

/* Compared with sums in double. */
static void check_linear(int rows) {
    enum { IN = 301, OUT = 1003 };
    Tape tape = {0};
    Tensor *x = COUNTING(&tape, "x", 2, rows, IN);
    Tensor *weight = COUNTING(&tape, "weight", 2, OUT, IN);
    Tensor *bias = COUNTING(&tape, "bias", 1, OUT);
    for (int i = 0; i < tensor_size(x); i++)
        x->data[i] = (Number)(i * 37 % 101 - 50) / 64;
    for (int i = 0; i < tensor_size(weight); i++)
        weight->data[i] = (Number)(i * 53 % 97 - 48) / 64;
    Tensor *y = linear(&tape, "y", x, &(Linear){weight, bias});
    for (int cell = 0; cell < tensor_size(y); cell += 7) {
        double sum = (double)bias->data[cell % OUT];
        for (int k = 0; k < IN; k++)
            sum += (double)x->data[cell / OUT * IN + k] *
                   (double)weight->data[cell % OUT * IN + k];
        assert_near((double)y->data[cell], sum);
    }
    tape_free(&tape);
}

/* Through each path of linear, with 1 to 3 threads. */
static void linear_is_right_for_few_and_many_rows_and_threads(void **state) {
    (void)state;
    static const int rows[] = {1, 2, 3, 4, 7, 32, 33, 40, 300};
    for (int threads = 1; threads <= 3; threads++) {
        threads_limit(threads);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) check_linear(rows[r]);
    }
    threads_limit(0);
}

static void few_rows_are_right_at_every_width_of_registers(void **state) {
    (void)state;
    for (int lanes = 4; lanes <= 16; lanes *= 2) {
        few_rows_limit(lanes);
        for (int rows = 1; rows <= 33; rows++) check_linear(rows);
    }
}

static void softmax_has_the_limits_of_its_formula(void **state) {
    (void)state;
    Tape tape = {0};
    Tensor *x = COUNTING(&tape, "x", 2, 6, 3);
    double i = INFINITY;
    double big = 1e38;
    FILLED(x, -i, -i, -i, i, 0, i, big, -big, big, -i, 5, 5, -1e9, -1e9, -1e9, i, -i,
           i);
    Tensor *y = softmax(&tape, "y", x);
    double third = 1.0 / 3;
    ASSERT_CELLS(y, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, third, third, third,
                 0.5, 0, 0.5);
    for (int cell = 0; cell < tensor_size(y); cell++) {
        Explanation e = explained(&tape, y, cell);
        assert_near(e.rule->combine(&e), (double)y->data[cell]);
        assert_int_equal(e.note != NULL, cell < 6 || cell > 14);
    }
    x->data[4] = (Number)NAN;
    y = softmax(&tape, "z", x);
    for (int cell = 0; cell < 9; cell++)
        assert_int_equal(isnan(y->data[cell]) != 0, cell >= 3 && cell < 6);
    tape_free(&tape);
}

static void mask_masks_for_the_reasons_it_reports(void **state) {
    (void)state;
    Tape tape = {0};
    Axis axis[] = {{.name = "batch", .size = 1},
                   {.name = "head", .size = 1},
                   {.name = "query", .size = 2},
                   {.name = "key",
                    .size = 3,
                    .labels = (const char *const[]){"나는", "학생", "<pad>"},
                    .label_rows = 1}};
    Tensor *scores = FILLED(tape_given(&tape, "scores", 4, axis), 1, 2, 3, 4, 5, 6);
    Tensor *padding = FILLED(COUNTING(&tape, "padding", 2, 1, 3), 0, 0, 1);
    Tensor *y = mask(&tape, "y", scores, padding,
                     (MaskSetting){.flags = MASK_LATER, .value = -9});
    ASSERT_CELLS(y, 1, 2, -9, 4, 5, -9);
    const Step *step = &tape.step[y->step];
    assert_int_equal(mask_reasons(step, 1), 0);
    assert_int_equal(mask_reasons(step, 2), MASK_LATER | MASK_PADDING);
    assert_int_equal(mask_reasons(step, 5), MASK_PADDING);
    assert_string_equal(explained(&tape, y, 2).note,
                        "hidden: key 2 (<pad>) comes after query 0 (look-ahead mask), "
                        "and it is padding");
    assert_string_equal(explained(&tape, y, 5).note,
                        "hidden: key 2 (<pad>) is padding");
    assert_null(explained(&tape, y, 1).note);
    y = mask(&tape, "once", scores, padding,
             (MaskSetting){.flags = MASK_LATER | MASK_ADD, .value = -10});
    ASSERT_CELLS(y, 1, 2, -7, 4, 5, -4);
    y = mask(&tape, "self", scores, padding,
             (MaskSetting){.flags = MASK_LATER | MASK_SELF, .value = -INFINITY});
    ASSERT_CELLS(y, 1, -INFINITY, -INFINITY, 4, 5, -INFINITY);
    tape_free(&tape);
}

static void explanations_have_numbers_and_roles(void **state) {
    (void)state;
    Tape tape = {0};
    Axis query[] = {{.name = "query", .size = 1}, {.name = "d_head", .size = 2}};
    Axis key[] = {{.name = "key", .size = 1}, {.name = "d_head", .size = 2}};
    Tensor *q = FILLED(tape_given(&tape, "q", 2, query), 0.312, -1e-7);
    Tensor *k = FILLED(tape_given(&tape, "k", 2, key), -0.52, 2e9);
    Explanation e = explained(&tape, dot(&tape, "scores", q, k), 0);
    assert_string_equal(e.formula, "q · k, summed over d_head");
    assert_string_equal(e.term[0].text, "0.3120 × -0.5200");
    assert_string_equal(e.term[1].text, "-1e-07 × 2e+09");
    assert_ptr_equal(e.term[1].place[1].tensor, k);
    assert_int_equal(e.term[1].place[1].cell, 1);

    e = explained(
        &tape,
        linear(&tape, "hidden", q, &(Linear){k, FILLED(COUNTING(&tape, "b", 1, 1), 3)}),
        0);
    assert_string_equal(
        e.formula,
        "number × its weight for output key 0, summed over input d_head, + bias");
    assert_string_equal(e.term[2].text, "bias");

    e = explained(&tape, tape_run(&tape, &op_relu, "relu", &k, 1, (Setting){0}), 0);
    assert_string_equal(e.term[0].text, "max(0, -0.5200)");
    e = explained(&tape, tape_run(&tape, &op_gelu, "gelu", &q, 1, (Setting){0}), 0);
    assert_string_equal(e.term[0].text, "0.3120 × Φ(0.3120)");
    e = explained(&tape, scale(&tape, "scaled", q, 0.125), 0);
    assert_string_equal(e.term[0].text, "0.3120 × 0.1250");

    Tensor *position =
        sinusoid(&tape, "position", (Axis){.name = "token", .size = 4}, 64, 2);
    e = explained(&tape, position, 64 + 5);
    assert_string_equal(e.term[0].text, "cos(3 / 10000^(4/64))");
    assert_near((double)position->data[64 + 5], cos(3 / pow(10000, 4.0 / 64)));

    Tensor *rows = embed(&tape, "rows", COUNTING(&tape, "table", 2, 5, 2),
                         FILLED(COUNTING(&tape, "ids", 1, 2), 4, 0));
    ASSERT_CELLS(rows, 9, 10, 1, 2);
    assert_string_equal(explained(&tape, rows, 1).note,
                        "row 4 of the table, since the id is 4");
    tape_free(&tape);
}

static void heads_are_neighbouring_parts_of_a_row(void **state) {
    (void)state;
    Tape tape = {0};
    Tensor *x = COUNTING(&tape, "x", 3, 1, 2, 4);
    Tensor *heads = split_heads(&tape, "heads", x, 2);
    ASSERT_CELLS(heads, 1, 2, 5, 6, 3, 4, 7, 8);
    ASSERT_CELLS(merge_heads(&tape, "merged", heads), 1, 2, 3, 4, 5, 6, 7, 8);
    assert_string_equal(explained(&tape, heads, 5).formula,
                        "the same number: c 3 is d_head 1 of head 1");
    ASSERT_CELLS(append(&tape, "longer", heads, heads), 1, 2, 5, 6, 1, 2, 5, 6, 3, 4, 7,
                 8, 3, 4, 7, 8);
    tape_free(&tape);
}

static void cross_entropy_averages_over_rows_that_count(void **state) {
    (void)state;
    Tape tape = {0};
    Tensor *x = FILLED(COUNTING(&tape, "x", 2, 3, 2), 0, log(3), 5, 1, log(9), 0);
    Tensor *expected = FILLED(COUNTING(&tape, "wanted", 1, 3), 1, 7, 0);
    Tensor *loss = cross_entropy(&tape, "loss", x, expected, (CrossEntropy){7, 0});
    assert_near((double)loss->data[0], (-log(0.75) - log(0.9)) / 2);
    Explanation e = explained(&tape, loss, 0);
    assert_int_equal(e.count, 2);
    assert_string_equal(e.term[0].text, "-log 0.7500");
    loss = cross_entropy(&tape, "smooth", x, expected, (CrossEntropy){7, 0.2});
    double first = 0.9 * -log(0.75) + 0.1 * -log(0.25);
    double last = 0.9 * -log(0.9) + 0.1 * -log(0.1);
    assert_near((double)loss->data[0], (first + last) / 2);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tensor_twice_gets_both_gradients),
        cmocka_unit_test(linear_is_right_for_few_and_many_rows_and_threads),
        cmocka_unit_test(few_rows_are_right_at_every_width_of_registers),
        cmocka_unit_test(softmax_has_the_limits_of_its_formula),
        cmocka_unit_test(mask_masks_for_the_reasons_it_reports),
        cmocka_unit_test(explanations_have_numbers_and_roles),
        cmocka_unit_test(heads_are_neighbouring_parts_of_a_row),
        cmocka_unit_test(cross_entropy_averages_over_rows_that_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
