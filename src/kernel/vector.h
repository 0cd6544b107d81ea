/* vector.h - what the loops over numbers have in common: how they are compiled, exp and
 * tanh, sums, and the few loops that several operations need.
 *
 * A loop is in the file of its operation as plain C, which the compiler turns into
 * instructions that take up to sixteen numbers at once: all of ops/ is built with the
 * options for it, see the Makefile. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "tensor/tensor.h"

/* Before a function: make one copy of it for old, middling and new processors, of which
 * one is chosen at the start of the program. Not under sanitizers, which are not ready
 * yet at that time. -DCLONES= makes only the first copy. */
#ifndef CLONES
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES                                                                         \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
#endif

/* clang warns of each loop that it leaves as it is. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* `before`, if it is to be kept (tensor_grad_factor() is 1); if not (0), it may be no
 * number at all. */
static inline Number kept(Number keep, Number before) {
    return keep != 0 ? before : 0;
}

static inline int least(int a, int b) {
    return a < b ? a : b;
}

/* total = the sum of `term`, which says i, over i from 0 to `size` - 1. SUM_PART
 * numbers are added in the model's precision and those sums in double: as fast as the
 * one and nearly as good as the other. */
enum { SUM_PART = 256 };
#define SUM(total, size, term)                                                         \
    do {                                                                               \
        (total) = 0;                                                                   \
        for (int begin = 0; begin < (size); begin += SUM_PART) {                       \
            int end = least(begin + SUM_PART, size);                                   \
            Number part = 0;                                                           \
            _Pragma("omp simd reduction(+ : part)") for (int i = begin; i < end; i++)  \
                part += (term);                                                        \
            (total) += (double)part;                                                   \
        }                                                                              \
    } while (0)

/* The largest of some numbers; -inf for none. */
static inline Number largest(const Number *x, int size) {
    Number most = -(Number)INFINITY;
#ifndef __clang__ /* its largest of -inf alone is -FLT_MAX */
#pragma omp simd reduction(max : most)
#endif
    for (int i = 0; i < size; i++) most = x[i] > most ? x[i] : most;
    return most;
}

/* exp(x) = 2^n exp(r), n whole and |r| <= ln(2) / 2, where a polynomial of degree 6,
 * fitted for the least relative error, is as good as a float can be. ln(2) is taken
 * off in two pieces, the first so short that n times it is exact; 2^n is multiplied in
 * two pieces, so that the ends of the range come out right: 0, subnormal, infinite.
 * The compiler can take several at once, which exp() of the library it cannot. */
static inline float exp_float(float x) {
    const float round = 0x1.8p23f; /* adding it leaves a whole number in the bits */
    union {
        float value;
        uint32_t bits;
    } whole, low, high;
    x = x < -104 ? -104 : x;
    x = x > 89 ? 89 : x;
    whole.value = x * 1.442695041f + round;
    float n = whole.value - round;
    float r = x - n * 0x1.62e4p-1f - n * 1.42860682e-6f;
    float p = 0.0013813145f;
    p = p * r + 0.0083694188f;
    p = p * r + 0.0416684560f;
    p = p * r + 0.1666651517f;
    p = p * r + 0.4999999404f;
    p = p * r * r + r + 1;
    uint32_t power = whole.bits - 0x4b400000u + 256; /* 256: so that halving rounds */
    low.bits = (power / 2 - 1) << 23;                /* down for negative n too */
    high.bits = (power - power / 2 - 1) << 23;
    return p * low.value * high.value;
}

/* Near 0 a polynomial in x^2, fitted for the least relative error up to 0.625: there
 * 1 - 2 / (exp(2 x) + 1) would be the small difference of two numbers near 1. */
static inline float tanh_float(float x) {
    float a = fabsf(x);
    float u = x * x;
    float p = -0.0057072793f;
    p = p * u + 0.0206410320f;
    p = p * u - 0.0537402393f;
    p = p * u + 0.1333144662f;
    p = p * u - 0.3333328195f;
    float far = 1 - 2 / (exp_float(2 * a) + 1);
    return a < 0.625f ? x + x * u * p : x < 0 ? -far : far;
}

#define EXP _Generic((Number)0, float : exp_float, double : exp)
#define TANH _Generic((Number)0, float : tanh_float, double : tanh)

/* y = keep y + factor x: how most gradients are handed on. `keep` says what becomes of
 * the numbers in y: 0 they are replaced, 1 added to. y and x do not overlap. */
void vector_add(Number *y, const Number *x, Number factor, Number keep, int size);

/* y = keep y + x factor, number by number: the gradient of one side of a product. */
void vector_add_products(Number *y, const Number *x, const Number *factor, Number keep,
                         int size);

/* y [size] = keep y + the sum of the rows of x [rows, size]: the gradient of what was
 * added to every row. */
void vector_add_rows(Number *y, const Number *x, Number keep, int rows, int size);

/* The largest number, -inf for size 0; the sum; the sum of exp(x - most). */
Number vector_largest(const Number *x, int size);
/* The place of the largest, of equals the first; what is no number (NaN) is passed
 * over. 0 where there is none. */
int vector_largest_place(const Number *x, int size);
double vector_sum(const Number *x, int size);
double vector_exp_sum(const Number *x, Number most, int size);
