#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/gemm.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* Whole numbers, whose sums are exact in any order. */
static Number *digits(int size, Arena *arena) {
    Number *number = arena_take_raw(arena, (size_t)size * sizeof *number);
    for (int i = 0; i < size; i++) number[i] = (Number)(i * 37 % 11 - 5);
    return number;
}

static const Number some[1]; /* marks a case with a bias */

static void check_product(Product p, void (*fast)(const Product *product)) {
    Arena arena = {0};
    p.a = digits(p.rows * p.inner, &arena);
    p.b = digits(p.inner * p.columns, &arena);
    p.z = digits(p.rows * p.columns, &arena);
    if (p.bias) p.bias = digits(p.columns, &arena);
    Product plain = p;
    plain.z = digits(p.rows * p.columns, &arena);
    if (p.keep == 0 || p.bias)
        for (int i = 0; i < p.rows * p.columns; i++) plain.z[i] = p.z[i] = (Number)NAN;
    fast(&p);
    multiply_plain(&plain);
    for (int i = 0; i < p.rows * p.columns; i++)
        if (p.z[i] != plain.z[i])
            fail_msg("number %d of %d x %d (inner %d) is %g, not %g", i, p.rows,
                     p.columns, p.inner, (double)p.z[i], (double)plain.z[i]);
    arena_free(&arena);
}

static void the_plain_product_is_the_sum_of_products(void **state) {
    (void)state;
    const Number a[] = {1, 2, 3, 4, 5, 6};
    const Number b[] = {7, 8, 9, 10, 11, 12};
    Number z[] = {1, 0, 0, 0};
    multiply_plain(&(Product){
        .a = a, .b = b, .z = z, .rows = 2, .columns = 2, .inner = 3, .keep = 1});
    assert_true(z[0] == 59 && z[1] == 64 && z[2] == 139 && z[3] == 154);
    multiply_plain(&(Product){.a = a,
                              .b = b,
                              .a_transposed = true,
                              .b_transposed = true,
                              .z = z,
                              .rows = 2,
                              .columns = 2,
                              .inner = 3});
    assert_true(z[0] == 76 && z[1] == 103 && z[2] == 100 && z[3] == 136);
}

/* Below and above one, two, three and four million pairs, where a product is cut into
 * more pieces. */
static void a_product_in_pieces_is_the_whole_product(void **state) {
    (void)state;
    for (int inner = 61; inner <= 277; inner += 8)
        for (int flips = 0; flips < 4; flips++)
            check_product((Product){.a_transposed = flips & 1,
                                    .b_transposed = flips & 2,
                                    .rows = 127,
                                    .columns = 128,
                                    .inner = inner,
                                    .keep = (Number)(inner / 8 % 2)},
                          gemm);
}

/* More columns and longer sums than one piece has, and a number of rows that is not a
 * multiple of four; with a bias, or added to old numbers. If OpenBLAS has no kernels
 * for small products, nothing is cut. */
static void pieces_of_all_sides_are_the_whole_product(void **state) {
    (void)state;
    static const int sizes[][3] = {{37, 300, 300}, {5, 512, 257}, {130, 257, 256}};
    for (int i = 0; i < 3 * 2 * 3; i++)
        check_product((Product){.a_transposed = i / 3 % 2,
                                .rows = sizes[i % 3][0],
                                .columns = sizes[i % 3][1],
                                .inner = sizes[i % 3][2],
                                .keep = (Number)(i / 6 == 1),
                                .bias = i / 6 == 2 ? some : NULL},
                      gemm);
}

/* Few rows and many rows, multiples of the loop steps and others, and no rows. */
static void a_split_product_is_the_whole_product(void **state) {
    (void)state;
    static const int rows[] = {0, 1, 2, 3, 4, 5, 12, 16, 17, 40};
    static const int columns[] = {1, 3, 15, 64, 257};
    static const int inner[] = {0, 1, 15, 16, 65, 300};
    for (int cores = 1; cores <= 3; cores++) {
        threads_limit(cores);
        for (int i = 0; i < 10 * 5 * 6 * 4; i++)
            check_product((Product){.a_transposed = i / 300 & 1,
                                    .b_transposed = i / 300 & 2,
                                    .rows = rows[i % 10],
                                    .columns = columns[i / 10 % 5],
                                    .inner = inner[i / 50 % 6],
                                    .keep = (Number)(i % 7 % 2),
                                    .bias = i % 11 % 2 ? some : NULL},
                          multiply_split);
    }
    threads_limit(0);
}

/* Another thread may be reading it: see prepare_environment(). This test runs first,
 * because the first product loads OpenBLAS. */
static void the_first_product_does_not_change_the_environment(void **state) {
    (void)state;
    char **before = environ;
    char *last = NULL;
    for (char **variable = environ; *variable; variable++) last = *variable;
    check_product((Product){.rows = 100, .columns = 100, .inner = 100}, gemm);
    assert_non_null(blas_gemm());
    assert_ptr_equal(environ, before);
    for (char **variable = environ; *variable; variable++)
        if (!variable[1]) assert_ptr_equal(*variable, last);
    assert_string_equal(getenv("OPENBLAS_NUM_THREADS"), "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_product_does_not_change_the_environment),
        cmocka_unit_test(the_plain_product_is_the_sum_of_products),
        cmocka_unit_test(a_product_in_pieces_is_the_whole_product),
        cmocka_unit_test(pieces_of_all_sides_are_the_whole_product),
        cmocka_unit_test(a_split_product_is_the_whole_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
