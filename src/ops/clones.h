/* clones.h - how the element loops are compiled: what kernels.c and kernels_rows.c
 * share.
 *
 * CLONES before a function makes one copy of it for old, middling and new processors,
 * of which one is chosen at the start of the program. Not under sanitizers, which are
 * not ready yet at that time. */
#pragma once

#include "tensor/tensor.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES                                                                         \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif

/* clang warns of each loop that it leaves as it is. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* A sum of SUM_PART numbers is taken in the model's precision and the sum of those
 * sums in double: as fast as the one and nearly as good as the other. */
enum { SUM_PART = 256 };

static inline int least(int a, int b) {
    return a < b ? a : b;
}

/* `before`, if it is to be kept; if not, it may be no number at all. */
static inline Number kept(Number keep, Number before) {
    return keep != 0 ? before : 0;
}

static inline double sum_parts(const Number *x, int size) {
    double total = 0;
    for (int start = 0; start < size; start += SUM_PART) {
        int end = least(start + SUM_PART, size);
        Number part = 0;
#pragma omp simd reduction(+ : part)
        for (int i = start; i < end; i++) part += x[i];
        total += (double)part;
    }
    return total;
}
