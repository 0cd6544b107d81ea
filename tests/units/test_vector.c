#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/vector.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { MANY = 100003 };

static double precision(void) {
    return sizeof(Number) == sizeof(double) ? 1e-15 : 1.2e-7;
}

static void exp_is_within_two_units_of_the_last_place(void **state) {
    (void)state;
    for (int i = 0; i <= 20000; i++) {
        Number x = (Number)(-87 + i * 0.00875);
        double found = vector_exp_sum(&x, 0, 1);
        double expected = exp((double)x);
        if (fabs(found - expected) > 2 * precision() * expected)
            fail_msg("exp(%.9g) is %.9g, not %.9g", (double)x, found, expected);
    }
}

static void exp_ends_at_nothing_and_infinity(void **state) {
    (void)state;
    const Number x[] = {-(Number)INFINITY, -1e9f, 0, 1e9f, (Number)INFINITY};
    const double expected[] = {0, 0, 1, INFINITY, INFINITY};
    for (int i = 0; i < 5; i++) assert_true(vector_exp_sum(&x[i], 0, 1) == expected[i]);
    Number none = (Number)NAN;
    assert_true(isnan(vector_exp_sum(&none, 0, 1)));
}

static void a_sum_of_many_numbers_keeps_its_digits(void **state) {
    (void)state;
    static Number x[MANY];
    long double exact = 0;
    for (int i = 0; i < MANY; i++) exact += x[i] = (Number)0.1 + (Number)i;
    double error = vector_sum(x, MANY) - (double)exact;
    assert_true(fabs(error) <= 10 * precision() * (double)exact);
}

static void the_largest_is_found_among_nan(void **state) {
    (void)state;
    const Number nan = (Number)NAN;
    const Number inf = (Number)INFINITY;
    const struct {
        Number x[4];
        int place;
    } rows[] = {{{nan, 1, 3, 3}, 2},       {{2, nan, 1, nan}, 0},
                {{nan, -inf, -2, nan}, 2}, {{nan, nan, -inf, nan}, 2},
                {{nan, nan, nan, nan}, 0}, {{1, nan, inf, inf}, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        assert_int_equal(vector_largest_place(rows[r].x, 4), rows[r].place);
    assert_int_equal(vector_largest_place(NULL, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_two_units_of_the_last_place),
        cmocka_unit_test(exp_ends_at_nothing_and_infinity),
        cmocka_unit_test(a_sum_of_many_numbers_keeps_its_digits),
        cmocka_unit_test(the_largest_is_found_among_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
