/* vector.h - helpers for loops over numbers: compiler options, exp and tanh, sums, and
 * a few loops that several operations need.
 *
 * Loops are plain C in the file of their operation. The compiler vectorizes them, up to
 * sixteen numbers at once: all of ops/ is built with options for that, see the
 * Makefile. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "tensor/tensor.h"

/* Before a function: compile it for old, medium and new processors; the program chooses
 * one version when it starts. Not under sanitizers, which are not ready at that time.
 * -DCLONES= compiles only one version. */
#ifndef CLONES
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES                                                                         \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
#endif

/* clang warns about each loop that it does not vectorize. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* Return `before` if it is kept (tensor_grad_factor() is 1). If not (0), return 0,
 * since `before` may be NaN. */
static inline Number kept(Number keep, Number before) {
    return keep != 0 ? before : 0;
}

static inline int min(int a, int b) {
    return a < b ? a : b;
}

/* total = the sum of `term`, which uses i, for i from 0 to `size` - 1. Add SUM_PART
 * numbers in the model's precision, and those sums in double: as fast as the former and
 * nearly as precise as the latter. */
enum { SUM_PART = 256 };
#define SUM(total, size, term)                                                         \
    do {                                                                               \
        (total) = 0;                                                                   \
        for (int begin = 0; begin < (size); begin += SUM_PART) {                       \
            int end = min(begin + SUM_PART, size);                                     \
            Number part = 0;                                                           \
            _Pragma("omp simd reduction(+ : part)") for (int i = begin; i < end; i++)  \
                part += (term);                                                        \
            (total) += (double)part;                                                   \
        }                                                                              \
    } while (0)

/* The largest number; -inf if there are none. */
static inline Number largest(const Number *x, int size) {
    Number max = -(Number)INFINITY;
#ifndef __clang__ /* its result is -FLT_MAX if all are -inf */
#pragma omp simd reduction(max : max)
#endif
    for (int i = 0; i < size; i++) max = x[i] > max ? x[i] : max;
    return max;
}

/* exp(x) = 2^n exp(r), with n whole and |r| <= ln(2) / 2. In that range a polynomial of
 * degree 6, fitted to minimize the relative error, has the precision of a float. ln(2)
 * is subtracted in two parts; the first has few bits, so that n times it is exact. 2^n
 * is multiplied in two parts, so that the ends of the range are right: 0, subnormal,
 * infinite. Unlike exp() of the library, this can be vectorized. */
static inline float exp_float(float x) {
    const float round = 0x1.8p23f; /* adding it moves the whole part to the low bits */
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

/* Near 0 use a polynomial in x^2, fitted to minimize the relative error up to 0.625:
 * there 1 - 2 / (exp(2 x) + 1) would be the difference of two numbers near 1. */
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

/* y = keep y + factor x: how most gradients are passed on. `keep` 0 replaces the
 * numbers in y, 1 adds to them. y and x do not overlap. */
void vector_add(Number *y, const Number *x, Number factor, Number keep, int size);

/* y = keep y + x factor, elementwise: the gradient of one side of a product. */
void vector_add_products(Number *y, const Number *x, const Number *factor, Number keep,
                         int size);

/* y [size] = keep y + the sum of the rows of x [rows, size]: the gradient of a bias. */
void vector_add_rows(Number *y, const Number *x, Number keep, int rows, int size);

/* The largest number, -inf for size 0; the sum; the sum of exp(x - max). */
Number vector_largest(const Number *x, int size);
/* Return the index of the largest number (the first if several are equal), ignoring
 * NaN; 0 if there is none. */
int vector_largest_place(const Number *x, int size);
double vector_sum(const Number *x, int size);
double vector_exp_sum(const Number *x, Number max, int size);
