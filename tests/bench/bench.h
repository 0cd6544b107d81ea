/* bench.h - the limits of this machine, measured in the same run as the code that is
 * compared with them: the arithmetic of one large product on one thread, and reading
 * memory. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/threads.h"
#include "kernel/gemm.h"
#include "kernel/vector.h"
#include "ops/ops.h"

enum { READ_BYTES = 256 << 20, ROUNDS = 9 };

typedef void Work(void *context);

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Number of repetitions: 1 if the benchmark is only checked for running at all. */
static inline int rounds(int often) {
    return getenv("SMOKE") ? 1 : often;
}

/* Seconds of the fastest of several rounds. */
static inline double seconds(Work *work, void *context) {
    double best = 1e9;
    for (int round = 0; round < rounds(ROUNDS); round++) {
        double start = now();
        work(context);
        double took = now() - start;
        if (took < best) best = took;
    }
    return best;
}

static inline Number *numbers(Arena *arena, int size) {
    Number *number = arena_take_raw(arena, (size_t)size * sizeof *number);
    for (int i = 0; i < size; i++) number[i] = (Number)(i % 101 * 37 % 101 - 50) / 64;
    return number;
}

static inline void one_product(void *context) {
    gemm(context);
}

/* Multiplications and additions per second, on one thread. */
static inline double peak(Arena *arena) {
    enum { SIZE = 1024 };
    Product product = {.a = numbers(arena, SIZE * SIZE),
                       .b = numbers(arena, SIZE * SIZE),
                       .z = numbers(arena, SIZE * SIZE),
                       .rows = SIZE,
                       .columns = SIZE,
                       .inner = SIZE};
    return 2.0 * SIZE * SIZE * SIZE / seconds(one_product, &product);
}

static inline void read_part(void *context, int part, int parts) {
    int size = READ_BYTES / (int)sizeof(Number);
    int start = multiply_start(size, part, parts);
    int end = multiply_start(size, part + 1, parts);
    volatile double sum = vector_sum((const Number *)context + start, end - start);
    (void)sum;
}

static inline void read_all(void *context) {
    threads_run(read_part, context);
}

/* Multiplications and additions per second, on one thread; bytes per second, on all. */
typedef struct {
    double flops, bytes;
    int threads;
} Limits;

static inline Limits limits_measure(Arena *arena) {
    Number *large = numbers(arena, READ_BYTES / (int)sizeof(Number));
    return (Limits){
        .flops = peak(arena),
        .bytes = READ_BYTES / seconds(read_all, large),
        .threads = threads_count(),
    };
}
