#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ops/kernels.h"
#include "ops/matmul.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { MANY = 100003 };

static double precision(void) {
    return sizeof(Number) == sizeof(double) ? 1e-15 : 1.2e-7;
}

static void exp_is_within_two_units_of_the_last_place(void **state) {
    (void)state;
    for (int i = 0; i <= 20000; i++) {
        Number x = (Number)(-87 + i * 0.00875);
        double found = kernel_exp_sum(&x, 0, 1);
        double expected = exp((double)x);
        if (fabs(found - expected) > 2 * precision() * expected)
            fail_msg("exp(%.9g) is %.9g, not %.9g", (double)x, found, expected);
    }
}

static void exp_ends_at_nothing_and_infinity(void **state) {
    (void)state;
    const Number x[] = {-(Number)INFINITY, -1e9f, 0, 1e9f, (Number)INFINITY};
    const double expected[] = {0, 0, 1, INFINITY, INFINITY};
    for (int i = 0; i < 5; i++) assert_true(kernel_exp_sum(&x[i], 0, 1) == expected[i]);
    Number none = (Number)NAN;
    assert_true(isnan(kernel_exp_sum(&none, 0, 1)));
}

static void gelu_is_right_far_into_its_tail(void **state) {
    (void)state;
    for (int i = 0; i <= 10000; i++) {
        Number x = (Number)(-12.5 + i * 0.00201);
        Number y;
        kernel_gelu(&y, &x, 1);
        double expected = (double)x * erfc(-(double)x * sqrt(0.5)) / 2;
        double tolerance = (x < -3 ? 60 : 4) * precision() * fabs(expected);
        if (fabs((double)y - expected) > tolerance)
            fail_msg("gelu(%.9g) is %.9g, not %.9g", (double)x, (double)y, expected);
    }
}

static void sigmoid_and_tanh_are_right_from_end_to_end(void **state) {
    (void)state;
    for (int i = -20000; i <= 20000; i++) {
        Number x = (Number)(i * 0.001 + i * (double)i * (double)i * 1e-11);
        Number open = x;
        Number bent = x;
        kernel_sigmoid(&open, 1);
        kernel_tanh(&bent, 1);
        double share = 1 / (1 + exp(-(double)x));
        if (fabs((double)open - share) > 4 * precision() * share + 1e-38)
            fail_msg("sigmoid(%.9g) is %.9g, not %.9g", (double)x, (double)open, share);
        double curve = tanh((double)x);
        if (fabs((double)bent - curve) > 2 * precision() * fabs(curve))
            fail_msg("tanh(%.9g) is %.9g, not %.9g", (double)x, (double)bent, curve);
    }
}

static void sigmoid_and_tanh_end_where_they_should(void **state) {
    (void)state;
    Number open[] = {-(Number)INFINITY, -1e9f, 0, 1e9f, (Number)INFINITY, (Number)NAN};
    Number bent[] = {-(Number)INFINITY, -1e9f, 0, 1e9f, (Number)INFINITY, (Number)NAN};
    const double share[] = {0, 0, 0.5, 1, 1};
    const double curve[] = {-1, -1, 0, 1, 1};
    kernel_sigmoid(open, 6);
    kernel_tanh(bent, 6);
    for (int i = 0; i < 5; i++) {
        assert_true((double)open[i] == share[i]);
        assert_true((double)bent[i] == curve[i]);
    }
    assert_true(isnan(open[5]) && isnan(bent[5]));
}

/* Rows of every length take each way through the vector loops. */
static void softmax_is_right_for_rows_of_every_length(void **state) {
    (void)state;
    static Number x[5 * 4100], y[5 * 4100];
    for (int i = 0; i < 5 * 4100; i++) x[i] = (Number)(i * 37 % 211 - 100) / 16;
    for (int size = 1; size <= 4100; size += size < 100 ? 1 : 333) {
        kernel_softmax(y, x, (Rows){5, size});
        for (int row = 0; row < 5; row++) {
            const Number *from = x + row * size;
            double sum = 0;
            for (int i = 0; i < size; i++) sum += exp((double)from[i]);
            for (int i = 0; i < size; i++) {
                double expected = exp((double)from[i]) / sum;
                double found = (double)y[row * size + i];
                assert_true(fabs(found - expected) <= 10 * precision() * expected);
            }
        }
    }
}

static void a_sum_of_many_numbers_keeps_its_digits(void **state) {
    (void)state;
    static Number x[MANY];
    long double exact = 0;
    for (int i = 0; i < MANY; i++) exact += x[i] = (Number)0.1 + (Number)i;
    double error = kernel_sum(x, MANY) - (double)exact;
    assert_true(fabs(error) <= 10 * precision() * (double)exact);
}

static void dropout_drops_as_often_as_its_rate_says(void **state) {
    (void)state;
    static Number x[MANY], y[MANY], again[MANY];
    for (int i = 0; i < MANY; i++) x[i] = 1;
    for (uint32_t key = 0; key < 20; key++) {
        Dropping dropping = {{key, 77}, (uint32_t)(0.25 * 0x1p32), 2};
        kernel_dropout(y, x, &dropping, 0, MANY);
        kernel_dropout(again, x, &dropping, 0, MANY);
        int dropped = 0;
        int pairs = 0;
        for (int i = 0; i < MANY; i++) {
            assert_true(y[i] == (kernel_drops(&dropping, i) ? 0 : 2));
            assert_true(y[i] == again[i]);
            dropped += y[i] == 0;
            pairs += i > 0 && y[i] == 0 && y[i - 1] == 0;
        }
        /* Five standard deviations of 100003 draws. */
        assert_true(fabs(dropped - 0.25 * MANY) < 5 * sqrt(MANY * 0.25 * 0.75));
        assert_true(fabs(pairs - 0.0625 * MANY) < 6 * sqrt(MANY * 0.0625));
    }
}

/* One cell of A B. */
static double cell_of(const Product *p, int row, int column) {
    double sum = 0;
    for (int k = 0; k < p->inner; k++) {
        Number a = p->a[p->a_flipped ? k * p->rows + row : row * p->inner + k];
        Number b = p->b[p->b_flipped ? column * p->inner + k : k * p->columns + column];
        sum += (double)a * (double)b;
    }
    return sum;
}

/* Whole numbers, whose sums are exact in any order. */
static Number *digits(int size, Arena *arena) {
    Number *number = arena_take_raw(arena, (size_t)size * sizeof *number);
    for (int i = 0; i < size; i++) number[i] = (Number)(i * 37 % 11 - 5);
    return number;
}

static void check_product(Product p) {
    Arena arena = {0};
    p.a = digits(p.rows * p.inner, &arena);
    p.b = digits(p.inner * p.columns, &arena);
    p.z = digits(p.rows * p.columns, &arena);
    const Number *before = digits(p.rows * p.columns, &arena);
    multiply(&p);
    for (int row = 0; row < p.rows; row++)
        for (int column = 0; column < p.columns; column += 7) {
            int at = row * p.columns + column;
            double kept = p.keep != 0 ? (double)before[at] : 0;
            assert_true((double)p.z[at] == kept + cell_of(&p, row, column));
        }
    arena_free(&arena);
}

/* On both sides of a million, two, three and four million pairs, where a product is
 * taken in ever more pieces. */
static void a_product_in_pieces_is_the_whole_product(void **state) {
    (void)state;
    for (int inner = 61; inner <= 277; inner += 8)
        for (int flips = 0; flips < 4; flips++)
            check_product((Product){.a_flipped = flips & 1,
                                    .b_flipped = flips & 2,
                                    .rows = 127,
                                    .columns = 128,
                                    .inner = inner,
                                    .keep = (Number)(inner / 8 % 2)});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_two_units_of_the_last_place),
        cmocka_unit_test(exp_ends_at_nothing_and_infinity),
        cmocka_unit_test(gelu_is_right_far_into_its_tail),
        cmocka_unit_test(sigmoid_and_tanh_are_right_from_end_to_end),
        cmocka_unit_test(sigmoid_and_tanh_end_where_they_should),
        cmocka_unit_test(softmax_is_right_for_rows_of_every_length),
        cmocka_unit_test(a_sum_of_many_numbers_keeps_its_digits),
        cmocka_unit_test(dropout_drops_as_often_as_its_rate_says),
        cmocka_unit_test(a_product_in_pieces_is_the_whole_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
