#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "why/by_size.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { NUMBERS_MAX = 4 };

static void the_largest_comes_first_and_rounding_does_not_count(void **state) {
    (void)state;
    static const struct {
        int count;
        double size[NUMBERS_MAX];
        int order[NUMBERS_MAX];
    } sample[] = {
        {4, {1, 3, 2, 4}, {3, 1, 2, 0}},
        {4, {2, 1, 2, 1}, {0, 2, 1, 3}},
        {2, {3.844999, 3.845001}, {0, 1}},
        {2, {3.845001, 3.844999}, {0, 1}},
        {2, {3.844, 3.845}, {1, 0}},
        {3, {1e-30, 3e-30, 2e-30}, {1, 2, 0}},
        {3, {1, NAN, 2}, {1, 2, 0}},
        {3, {1, 2, INFINITY}, {2, 1, 0}},
        {2, {0, 0}, {0, 1}},
        {0, {0}, {0}},
    };
    Arena arena = {0};
    for (size_t s = 0; s < sizeof sample / sizeof *sample; s++) {
        const int *order = by_size(sample[s].size, sample[s].count, &arena);
        for (int i = 0; i < sample[s].count; i++)
            if (order[i] != sample[s].order[i])
                fail_msg("sample %zu: %d stands at place %d", s, order[i], i);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_comes_first_and_rounding_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
