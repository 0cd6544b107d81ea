/* Numbers that are saved as F16 are rounded to the nearest one (IEEE 754, binary16),
 * and are read back unchanged. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "store/safetensors.h"

#include <cmocka.h> /* last: it has a macro named fail */

static char folder[] = "/tmp/glassbox-halves-XXXXXX";

static const struct {
    double number, half;
} cases[] = {
    {0, 0},
    {-0.0, -0.0},
    {1, 1},
    {1 + 0x1p-11, 1},              /* a tie: the even one */
    {1 + 3 * 0x1p-11, 1 + 0x1p-9}, /* the same, upward */
    {1 + 0x1.1p-11, 1 + 0x1p-10},  /* slightly nearer to the next one */
    {2 - 0x1p-12, 2},              /* rounded to the next power of two */
    {-0.1, -0.0999755859375},
    {65504, 65504}, /* the largest */
    {65519, 65504},
    {0x1p-14, 0x1p-14}, /* the smallest normal number */
    {0x1p-14 - 0x1p-26, 0x1p-14},
    {0x1.8p-23, 0x1p-23 * 1.5},
    {0x1p-24, 0x1p-24}, /* the smallest subnormal number */
    {0x1p-25, 0},
    {0x1.01p-25, 0x1p-24},
    {INFINITY, INFINITY},
};

enum { CASES = sizeof cases / sizeof *cases };

/* A tensor "x" with these numbers. */
#define ROW(numbers, count)                                                            \
    &(Tensor) {                                                                        \
        .name = "x", .rank = 1, .axis = {{.size = (count)}}, .data = (numbers)         \
    }

static bool save(const char *path, const Tensor *tensor, bool halves, Error *error) {
    const Stored stored = {"x", tensor};
    return safetensors_save(
        path, &(Contents){.stored = &stored, .count = 1, .halves = halves}, true,
        error);
}

static void a_number_becomes_the_nearest_half(void **state) {
    (void)state;
    const char *path = file_join(&arena, folder, "halves.safetensors");
    Number numbers[CASES];
    for (int i = 0; i < CASES; i++) numbers[i] = (Number)cases[i].number;
    Error error;
    if (!save(path, ROW(numbers, CASES), true, &error)) fail_msg("%s", error.message);
    SafeTensors file;
    if (!safetensors_read(&file, path, &arena, &error)) fail_msg("%s", error.message);
    const StoredTensor *stored = safetensors_find(&file, "x");
    assert_non_null(stored);
    assert_string_equal(safetensors_describe(stored, &arena), "F16 [17]");
    Number *found;
    assert_true(safetensors_numbers(stored, &arena, &found));
    for (int i = 0; i < CASES; i++)
        if (found[i] != (Number)cases[i].half ||
            !signbit(found[i]) != !signbit(cases[i].half))
            fail_msg("%.9g became %.9g, not %.9g", cases[i].number, (double)found[i],
                     cases[i].half);
    assert_int_equal(unlink(path), 0);
}

/* The value of a half's bits, by the definition of the format. */
static double meaning(unsigned half, int fraction_bits) {
    unsigned ones = (1U << (15 - fraction_bits)) - 1;
    unsigned exponent = half >> fraction_bits & ones;
    unsigned fraction = half & ((1U << fraction_bits) - 1);
    int bias = (int)ones / 2;
    double size = exponent == ones ? (fraction ? NAN : INFINITY)
                  : exponent == 0  ? ldexp(fraction, 1 - bias - fraction_bits)
                                   : ldexp((1U << fraction_bits) + fraction,
                                           (int)exponent - bias - fraction_bits);
    return half >> 15 ? -size : size;
}

/* At any alignment, and every possible half. */
static void every_half_becomes_its_number(void **state) {
    (void)state;
    enum { ALL = 1 << 16, F16_FRACTION = 10, BF16_FRACTION = 7 };
    static const struct {
        ElementKind kind;
        int fraction_bits;
    } kinds[] = {{KIND_F16, F16_FRACTION}, {KIND_BF16, BF16_FRACTION}};
    unsigned char *bytes = arena_take(&arena, 2 * ALL + 1);
    Number *found = ARENA_ARRAY(&arena, Number, ALL);
    for (int i = 0; i < ALL; i++) {
        bytes[2 * i + 1] = (unsigned char)i;
        bytes[2 * i + 2] = (unsigned char)(i >> 8);
    }
    for (int k = 0; k < 2; k++) {
        widen(kinds[k].kind, bytes + 1, ALL, found);
        for (unsigned i = 0; i < ALL; i++) {
            double number = meaning(i, kinds[k].fraction_bits);
            bool same = isnan(number) ? isnan(found[i]) : found[i] == (Number)number;
            if (!same || !signbit(found[i]) != !signbit(number))
                fail_msg("half %04x became %.9g, not %.9g", i, (double)found[i],
                         number);
        }
    }
}

static void a_number_too_large_for_halves_is_named(void **state) {
    (void)state;
    const char *path = file_join(&arena, folder, "large.safetensors");
    Error error;
    Number large[] = {1, 65520};
    assert_false(save(path, ROW(large, 2), true, &error));
    assert_non_null(strstr(error.message, "x has 65520"));
    assert_false(file_exists(path));
    assert_true(save(path, ROW(large, 2), false, &error));
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_number_becomes_the_nearest_half, reset,
                                        reset),
        cmocka_unit_test_setup_teardown(every_half_becomes_its_number, reset, reset),
        cmocka_unit_test_setup_teardown(a_number_too_large_for_halves_is_named, reset,
                                        reset),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) ? 1 : failed;
}
