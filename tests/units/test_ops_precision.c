/* The precision of functions inside operations, over their whole range. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "ops/ops.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { MANY = 100003 };

static double precision(void) {
    return sizeof(Number) == sizeof(double) ? 1e-15 : 1.2e-7;
}

/* Apply a function to each of `size` numbers. The result is on `tape`. */
static const Number *each(Tape *tape, Tensor *(*op)(Tape *, const char *, Tensor *),
                          const Number *x, int size) {
    Tensor *given = tape_given(tape, "x", 1, &(Axis){.name = "i", .size = size});
    for (int i = 0; i < size; i++) given->data[i] = x[i];
    return op(tape, "y", given)->data;
}

/* One gate of an LSTM whose other input is 0. */
static Tensor *gate_alone(Tape *tape, const char *name, Tensor *x, int gate) {
    int size = x->axis[0].size;
    Axis axis[] = {{.name = "batch", .size = 1},
                   {.name = "token", .size = 1},
                   {.name = "gates", .size = GATES * size}};
    Axis flat[] = {axis[0], axis[2]};
    Tensor *from_input = tape_given(tape, "from_input", 3, axis);
    Tensor *from_state = tape_given(tape, "from_state", 2, flat);
    for (int i = 0; i < GATES * size; i++) {
        from_input->data[i] = x->data[i % size];
        from_state->data[i] = 0;
    }
    return lstm_gate(tape, name, from_input, from_state, 0, gate);
}

static Tensor *sigmoid(Tape *tape, const char *name, Tensor *x) {
    return gate_alone(tape, name, x, GATE_INPUT);
}

static Tensor *hyperbolic(Tape *tape, const char *name, Tensor *x) {
    return gate_alone(tape, name, x, GATE_CELL);
}

static Tensor *gelu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_gelu, name, &x, 1, (Setting){0});
}

static void gelu_is_right_far_into_its_tail(void **state) {
    (void)state;
    enum { COUNT = 10001 };
    static Number x[COUNT];
    Tape tape = {0};
    for (int i = 0; i < COUNT; i++) x[i] = (Number)(-12.5 + i * 0.00201);
    const Number *y = each(&tape, gelu, x, COUNT);
    for (int i = 0; i < COUNT; i++) {
        double expected = (double)x[i] * erfc(-(double)x[i] * sqrt(0.5)) / 2;
        double tolerance = (x[i] < -3 ? 60 : 4) * precision() * fabs(expected);
        if (!(fabs((double)y[i] - expected) <= tolerance))
            fail_msg("gelu(%.9g) is %.9g, not %.9g", (double)x[i], (double)y[i],
                     expected);
    }
    tape_free(&tape);
}

static Tensor *silu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_silu, name, &x, 1, (Setting){0});
}

static void sigmoid_silu_and_tanh_are_right_from_end_to_end(void **state) {
    (void)state;
    enum { COUNT = 40001 };
    static Number x[COUNT];
    Tape tape = {0};
    for (int i = 0; i < COUNT; i++) {
        double at = i - COUNT / 2;
        x[i] = (Number)(at * 0.001 + at * at * at * 1e-11);
    }
    const Number *open = each(&tape, sigmoid, x, COUNT);
    const Number *bent = each(&tape, hyperbolic, x, COUNT);
    const Number *weighed = each(&tape, silu, x, COUNT);
    for (int i = 0; i < COUNT; i++) {
        double share = 1 / (1 + exp(-(double)x[i]));
        double product = (double)x[i] * share;
        if (!(fabs((double)weighed[i] - product) <=
              4 * precision() * fabs(product) + 1e-36))
            fail_msg("silu(%.9g) is %.9g, not %.9g", (double)x[i], (double)weighed[i],
                     product);
        if (!(fabs((double)open[i] - share) <= 4 * precision() * share + 1e-38))
            fail_msg("sigmoid(%.9g) is %.9g, not %.9g", (double)x[i], (double)open[i],
                     share);
        double curve = tanh((double)x[i]);
        if (!(fabs((double)bent[i] - curve) <= 2 * precision() * fabs(curve)))
            fail_msg("tanh(%.9g) is %.9g, not %.9g", (double)x[i], (double)bent[i],
                     curve);
    }
    tape_free(&tape);
}

static void sigmoid_and_tanh_have_the_right_limits(void **state) {
    (void)state;
    const Number x[] = {-(Number)INFINITY, -1e9f,      0, 1e9f,
                        (Number)INFINITY,  (Number)NAN};
    const double share[] = {0, 0, 0.5, 1, 1};
    const double curve[] = {-1, -1, 0, 1, 1};
    Tape tape = {0};
    const Number *open = each(&tape, sigmoid, x, 6);
    const Number *bent = each(&tape, hyperbolic, x, 6);
    for (int i = 0; i < 5; i++) {
        assert_true((double)open[i] == share[i]);
        assert_true((double)bent[i] == curve[i]);
    }
    assert_true(isnan(open[5]) && isnan(bent[5]));
    tape_free(&tape);
}

/* Rows of every length take every path through the vector loops. */
static void softmax_is_right_for_rows_of_every_length(void **state) {
    (void)state;
    Tape tape = {0};
    for (int size = 1; size <= 4100; size += size < 100 ? 1 : 333) {
        tape_reset(&tape);
        Axis axis[] = {{.name = "row", .size = 5}, {.name = "key", .size = size}};
        Tensor *x = tape_given(&tape, "x", 2, axis);
        for (int i = 0; i < 5 * size; i++)
            x->data[i] = (Number)(i * 37 % 211 - 100) / 16;
        const Tensor *y = softmax(&tape, "y", x);
        for (int row = 0; row < 5; row++) {
            double sum = 0;
            for (int i = 0; i < size; i++) sum += exp((double)x->data[row * size + i]);
            for (int i = row * size; i < (row + 1) * size; i++) {
                double expected = exp((double)x->data[i]) / sum;
                double error = fabs((double)y->data[i] - expected);
                assert_true(error <= 10 * precision() * expected);
            }
        }
    }
    tape_free(&tape);
}

static void dropout_has_the_given_rate(void **state) {
    (void)state;
    Tape tape = {0};
    for (unsigned long long seed = 0; seed < 20; seed++) {
        tape_reset(&tape);
        Axis axis = {.name = "i", .size = MANY};
        Tensor *x = tape_given(&tape, "x", 1, &axis);
        for (int i = 0; i < MANY; i++) x->data[i] = 3;
        const Number *y = dropout(&tape, "y", x, 0.25, seed)->data;
        const Number *again = dropout(&tape, "again", x, 0.25, seed)->data;
        int dropped = 0;
        int pairs = 0;
        for (int i = 0; i < MANY; i++) {
            assert_true(y[i] == 0 || fabs((double)y[i] - 4) <= 4 * precision());
            assert_true(y[i] == again[i]);
            dropped += y[i] == 0;
            pairs += i > 0 && y[i] == 0 && y[i - 1] == 0;
        }
        /* Five standard deviations of 100003 draws. */
        assert_true(fabs(dropped - 0.25 * MANY) < 5 * sqrt(MANY * 0.25 * 0.75));
        assert_true(fabs(pairs - 0.0625 * MANY) < 6 * sqrt(MANY * 0.0625));
    }
    tape_free(&tape);
}

int main(void) {
    tape_noise = NULL; /* this tests how close the loops come to the formula */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gelu_is_right_far_into_its_tail),
        cmocka_unit_test(sigmoid_silu_and_tanh_are_right_from_end_to_end),
        cmocka_unit_test(sigmoid_and_tanh_have_the_right_limits),
        cmocka_unit_test(softmax_is_right_for_rows_of_every_length),
        cmocka_unit_test(dropout_has_the_given_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
