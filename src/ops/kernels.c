#include "ops/kernels.h"

#include <math.h>

#include "ops/clones.h"

enum { BLOCK = 2048 }; /* numbers that stay in the nearest cache */

/* exp(x) = 2^n exp(r), n whole and |r| <= ln(2) / 2, where a polynomial of degree 6,
 * fitted for the least relative error, is as good as a float can be. ln(2) is taken
 * off in two pieces, the first so short that n times it is exact; 2^n is multiplied in
 * two pieces, so that the ends of the range come out right: 0, subnormal, infinite. */
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

/* Φ(x) for x <= 0 is exp(-x^2 / 2) times a slowly falling function, here a polynomial
 * in 1 / (1 - 0.35 x), fitted for the least relative error down to x = -14. */
static inline float phi_float(float x) {
    float a = fabsf(x);
    float u = 1 / (1 + 0.35f * a);
    float p = -0.0291457623f;
    p = p * u + 0.1439709514f;
    p = p * u - 0.2557128370f;
    p = p * u + 0.1591726989f;
    p = p * u - 0.0231089257f;
    p = p * u + 0.1055076569f;
    p = p * u + 0.1198329479f;
    p = p * u + 0.1398618668f;
    p = p * u + 0.1396214068f;
    float tail = p * u * exp_float(-0.5f * a * a);
    return x < 0 ? tail : 1 - tail;
}

static inline double phi_double(double x) {
    return erfc(-x * 0.70710678118654752440) / 2;
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
#define PHI _Generic((Number)0, float : phi_float, double : phi_double)
#define TANH _Generic((Number)0, float : tanh_float, double : tanh)

CLONES void kernel_add(Number *restrict y, const Number *restrict x,
                       const Number *restrict z, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] + z[i];
}

CLONES void kernel_scale(Number *restrict y, const Number *restrict x, Number factor,
                         int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = factor * x[i];
}

CLONES void kernel_relu(Number *restrict y, const Number *restrict x, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] < 0 ? 0 : x[i];
}

CLONES void kernel_gelu(Number *restrict y, const Number *restrict x, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] * PHI(x[i]);
}

CLONES void kernel_multiply_add(Number *restrict y, const Number *restrict x,
                                const Number *restrict z, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = kept(keep, y[i]) + x[i] * z[i];
}

CLONES void kernel_sigmoid(Number *y, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = 1 / (1 + EXP(-y[i]));
}

CLONES void kernel_tanh(Number *y, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = TANH(y[i]);
}

CLONES void kernel_sigmoid_grad(Number *restrict grad, const Number *restrict y,
                                const Number *restrict dy, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++)
        grad[i] = kept(keep, grad[i]) + dy[i] * y[i] * (1 - y[i]);
}

CLONES void kernel_tanh_grad(Number *restrict grad, const Number *restrict y,
                             const Number *restrict dy, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++)
        grad[i] = kept(keep, grad[i]) + dy[i] * (1 - y[i] * y[i]);
}

CLONES void kernel_scale_grad(Number *restrict grad, const Number *restrict dy,
                              Number factor, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) grad[i] = kept(keep, grad[i]) + factor * dy[i];
}

CLONES void kernel_relu_grad(Number *restrict grad, const Number *restrict x,
                             const Number *restrict dy, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number passing = dy[i];
        grad[i] = kept(keep, grad[i]) + (x[i] > 0 ? passing : 0);
    }
}

/* (x Φ(x))' = Φ(x) + x φ(x), φ being the bell curve. */
CLONES void kernel_gelu_grad(Number *restrict grad, const Number *restrict x,
                             const Number *restrict dy, Number keep, int size) {
    const Number height = (Number)0.39894228040143267794;
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number bell = height * EXP(-x[i] * x[i] / 2);
        grad[i] = kept(keep, grad[i]) + dy[i] * (PHI(x[i]) + x[i] * bell);
    }
}

static inline Number largest(const Number *x, int size) {
    Number most = -(Number)INFINITY;
#ifndef __clang__ /* its largest of -inf alone is -FLT_MAX */
#pragma omp simd reduction(max : most)
#endif
    for (int i = 0; i < size; i++) most = x[i] > most ? x[i] : most;
    return most;
}

/* The largest is taken off first: exp() of a large number would overflow, and the
 * quotient is the same. Infinite minus infinite counts as 0 here. */
static inline void shift(Number *restrict y, const Number *restrict x, int size) {
    const Number infinite = (Number)INFINITY;
    Number most = largest(x, size);
    if (most == infinite) {
        for (int i = 0; i < size; i++)
            y[i] = x[i] == infinite ? 0 : x[i] < infinite ? -infinite : x[i];
        return;
    }
    if (most == -infinite) most = 0;
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] - most;
}

static inline void softmax_together(Number *restrict y, const Number *restrict x,
                                    Rows rows) {
    int size = rows.size;
    for (int r = 0; r < rows.rows; r++) shift(y + r * size, x + r * size, size);
#pragma omp simd
    for (int i = 0; i < rows.rows * size; i++) y[i] = EXP(y[i]);
    for (int r = 0; r < rows.rows; r++, y += size) {
        double total = sum_parts(y, size);
        Number factor = (Number)(total > 0 ? 1 / total : total);
#pragma omp simd
        for (int i = 0; i < size; i++) y[i] *= factor;
    }
}

/* exp() runs through several rows at once, since rows may be as short as a sentence. */
CLONES void kernel_softmax(Number *restrict y, const Number *restrict x, Rows rows) {
    int size = rows.size;
    int together = size < BLOCK / 2 ? BLOCK / (size > 0 ? size : 1) : 1;
    for (int row = 0; row < rows.rows; row += together) {
        int count = least(together, rows.rows - row);
        softmax_together(y + row * size, x + row * size, (Rows){count, size});
    }
}

/* dx_i = y_i (dy_i - sum_j dy_j y_j): raising one input lowers all other outputs. */
CLONES void kernel_softmax_grad(Number *restrict grad, const Number *restrict y,
                                const Number *restrict dy, Number keep, Rows rows) {
    int size = rows.size;
    for (int r = 0; r < rows.rows; r++, grad += size, y += size, dy += size) {
        Number mean = 0;
#pragma omp simd reduction(+ : mean)
        for (int i = 0; i < size; i++) mean += dy[i] * y[i];
#pragma omp simd
        for (int i = 0; i < size; i++)
            grad[i] = kept(keep, grad[i]) + y[i] * (dy[i] - mean);
    }
}

CLONES Number kernel_largest(const Number *x, int size) {
    return largest(x, size);
}

CLONES double kernel_sum(const Number *x, int size) {
    return sum_parts(x, size);
}

CLONES double kernel_exp_sum(const Number *x, Number most, int size) {
    double total = 0;
    for (int start = 0; start < size; start += SUM_PART) {
        int end = least(start + SUM_PART, size);
        Number part = 0;
#pragma omp simd reduction(+ : part)
        for (int i = start; i < end; i++) part += EXP(x[i] - most);
        total += (double)part;
    }
    return total;
}

CLONES void kernel_exp_grad(Number *restrict grad, const Number *restrict x,
                            Exponential e, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++)
        grad[i] = kept(keep, grad[i]) + e.factor * EXP(x[i] - e.most) - e.less;
}
