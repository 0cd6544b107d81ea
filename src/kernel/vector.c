#include "kernel/vector.h"

CLONES void vector_add(Number *restrict y, const Number *restrict x, Number factor,
                       Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = kept(keep, y[i]) + factor * x[i];
}

CLONES void vector_add_products(Number *restrict y, const Number *restrict x,
                                const Number *restrict factor, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = kept(keep, y[i]) + x[i] * factor[i];
}

CLONES void vector_add_rows(Number *restrict y, const Number *restrict x, Number keep,
                            int rows, int size) {
    if (keep == 0)
        for (int i = 0; i < size; i++) y[i] = 0;
    for (int row = 0; row < rows; row++, x += size) {
#pragma omp simd
        for (int i = 0; i < size; i++) y[i] += x[i];
    }
}

CLONES Number vector_largest(const Number *x, int size) {
    return largest(x, size);
}

int vector_largest_place(const Number *x, int size) {
    Number max = vector_largest(x, size);
    int place = 0;
    while (place < size && x[place] != max) place++;
    return place < size ? place : 0;
}

CLONES double vector_sum(const Number *x, int size) {
    double total;
    SUM(total, size, x[i]);
    return total;
}

CLONES double vector_exp_sum(const Number *x, Number max, int size) {
    double total;
    SUM(total, size, EXP(x[i] - max));
    return total;
}
