#include <math.h>

#include "ops/clones.h"
#include "ops/kernels.h"

#define ROOT _Generic((Number)0, float : sqrtf, double : sqrt)

CLONES double kernel_adam(const Adapting *adapting, const Number *restrict gradient,
                          int size) {
    const Adapting a = *adapting;
    Number *restrict value = a.value;
    Number *restrict mean = a.mean;
    Number *restrict square = a.square;
    Number squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int i = 0; i < size; i++) {
        Number g = gradient[i] * a.factor;
        squares += gradient[i] * gradient[i];
        Number m = a.beta_1 * mean[i] + (1 - a.beta_1) * g;
        Number v = a.beta_2 * square[i] + (1 - a.beta_2) * g * g;
        mean[i] = m;
        square[i] = v;
        value[i] -= a.rate * m / (ROOT(v) * a.root_factor + a.epsilon);
    }
    return (double)squares;
}

CLONES double kernel_square_sum(const Number *x, int size) {
    double total = 0;
    for (int start = 0; start < size; start += SUM_PART) {
        int end = least(start + SUM_PART, size);
        Number part = 0;
#pragma omp simd reduction(+ : part)
        for (int i = start; i < end; i++) part += x[i] * x[i];
        total += (double)part;
    }
    return total;
}
