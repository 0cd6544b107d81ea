/* The size of a step: the schedule, and Adam. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "learn/adam.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void check_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("found %.12g, not %.12g", found, expected);
}

static void paper_schedule_equals_the_formula(void **state) {
    (void)state;
    Schedule schedule = {
        .kind = SCHEDULE_PAPER, .d_model = 512, .warmup = 4000, .factor = 1};
    static const int steps[] = {1, 2, 100, 3999, 4000, 4001, 100000};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        double step = steps[s];
        double expected =
            pow(512, -0.5) * fmin(pow(step, -0.5), step * pow(4000, -1.5));
        check_near(schedule_rate(&schedule, steps[s]), expected, 1e-12);
    }
    check_near(schedule_rate(&schedule, 4000), 0.000698771242968684, 1e-12);
    schedule.factor = 0.5;
    check_near(schedule_rate(&schedule, 4000), 0.000349385621484342, 1e-12);
}

static void constant_schedule_stays(void **state) {
    (void)state;
    Schedule schedule = {.kind = SCHEDULE_CONSTANT, .rate = 0.003};
    assert_true(schedule_rate(&schedule, 1) == 0.003);
    assert_true(schedule_rate(&schedule, 1000000) == 0.003);
}

static void cosine_schedule_rises_and_falls_to_zero(void **state) {
    (void)state;
    Schedule schedule = {
        .kind = SCHEDULE_COSINE, .warmup = 10, .rate = 0.4, .steps = 110};
    check_near(schedule_rate(&schedule, 5), 0.2, 1e-12);
    check_near(schedule_rate(&schedule, 10), 0.4, 1e-12);
    check_near(schedule_rate(&schedule, 60), 0.2, 1e-12);
    check_near(schedule_rate(&schedule, 35), 0.4 * (1 + sqrt(0.5)) / 2, 1e-12);
    assert_true(schedule_rate(&schedule, 110) == 0);
    assert_true(schedule_rate(&schedule, 200) == 0);
}

/* Two weights, the gradients 0.5 and -2 and then 1 and 0, computed manually. */
static void adam_equals_a_manual_calculation(void **state) {
    (void)state;
    Weights weights = {0};
    Axis axis = {.name = "out", .size = 2};
    Tensor *tensor = weights_add(&weights, "a", "weight", INITIAL_ONE, 1, &axis);
    weights_initialise(&weights, 1);
    AdamOptions options = {.beta_1 = 0.9, .beta_2 = 0.99, .epsilon = 0.1};
    Adam adam = adam_new(&weights, &options);
    Number *row = adam_gradient(&adam, &weights, &weights.arena);
    double norm;
    tensor->grad[0] = (Number)0.5;
    tensor->grad[1] = -2;
    assert_true(adam_step(&adam, 0.01, &row, 1, &norm));
    check_near(norm, sqrt(4.25), 1e-6);
    /* m / (1 - 0.9) = g and v / (1 - 0.99) = g^2 after one step. */
    check_near((double)tensor->data[0], 1 - 0.01 * 0.5 / (0.5 + 0.1), 1e-6);
    check_near((double)tensor->data[1], 1 + 0.01 * 2 / (2 + 0.1), 1e-6);
    tensor->grad[0] = 1;
    tensor->grad[1] = 0;
    assert_true(adam_step(&adam, 0.01, &row, 1, &norm));
    double mean = (0.9 * 0.05 + 0.1 * 1) / (1 - 0.81);
    double square = (0.99 * 0.0025 + 0.01 * 1) / (1 - 0.9801);
    double before = 1 - 0.01 * 0.5 / 0.6;
    check_near((double)tensor->data[0], before - 0.01 * mean / (sqrt(square) + 0.1),
               1e-6);
    mean = 0.9 * -0.2 / (1 - 0.81);
    square = 0.99 * 0.04 / (1 - 0.9801);
    before = 1 + 0.01 * 2 / 2.1;
    check_near((double)tensor->data[1], before - 0.01 * mean / (sqrt(square) + 0.1),
               1e-6);
    weights_free(&weights);
}

/* One weight, the gradients 0.5 and then -1, computed manually. */
static void rmsprop_equals_a_manual_calculation(void **state) {
    (void)state;
    Weights weights = {0};
    Axis axis = {.name = "out", .size = 1};
    Tensor *tensor = weights_add(&weights, "a", "weight", INITIAL_ONE, 1, &axis);
    weights_initialise(&weights, 1);
    AdamOptions options = {
        .kind = OPTIMIZER_RMSPROP, .beta_1 = 0.5, .beta_2 = 0.9, .epsilon = 0.1};
    Adam adam = adam_new(&weights, &options);
    Number *row = adam_gradient(&adam, &weights, &weights.arena);
    double norm;
    tensor->grad[0] = (Number)0.5;
    assert_true(adam_step(&adam, 0.01, &row, 1, &norm));
    double square = 0.1 * 0.25;
    double after = 1 - 0.01 * 0.5 / (sqrt(square) + 0.1);
    check_near((double)tensor->data[0], after, 1e-6);
    tensor->grad[0] = -1;
    assert_true(adam_step(&adam, 0.01, &row, 1, &norm));
    square = 0.9 * square + 0.1;
    check_near((double)tensor->data[0], after + 0.01 / (sqrt(square) + 0.1), 1e-6);
    weights_free(&weights);
}

static void clipping_shortens_the_gradient_to_its_norm(void **state) {
    (void)state;
    Weights weights = {0};
    Axis axis = {.name = "out", .size = 2};
    Tensor *tensor = weights_add(&weights, "a", "weight", INITIAL_ZERO, 1, &axis);
    weights_initialise(&weights, 1);
    AdamOptions options = {.epsilon = 1, .clip = 1};
    Adam adam = adam_new(&weights, &options);
    Number *row = adam_gradient(&adam, &weights, &weights.arena);
    double norm;
    tensor->grad[0] = 3;
    tensor->grad[1] = -4;
    assert_true(adam_step(&adam, 1, &row, 1, &norm));
    check_near(norm, 5, 1e-6);
    check_near((double)tensor->data[0], -0.6 / 1.6, 1e-6);
    check_near((double)tensor->data[1], 0.8 / 1.8, 1e-6);
    tensor->grad[0] = (Number)NAN;
    double before = (double)tensor->data[1];
    assert_false(adam_step(&adam, 1, &row, 1, &norm));
    assert_true((double)tensor->data[1] == before && adam.step == 1);
    weights_free(&weights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_schedule_equals_the_formula),
        cmocka_unit_test(constant_schedule_stays),
        cmocka_unit_test(cosine_schedule_rises_and_falls_to_zero),
        cmocka_unit_test(adam_equals_a_manual_calculation),
        cmocka_unit_test(rmsprop_equals_a_manual_calculation),
        cmocka_unit_test(clipping_shortens_the_gradient_to_its_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
