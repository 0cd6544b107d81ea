/* counting.h - small tensors for the tests of operations. */
#pragma once

#include "tensor/tape.h"

/* A tensor of `rank` axes named a, b, c, d, filled with 1, 2, 3 ... */
static inline Tensor *counting(Tape *tape, const char *name, int rank,
                               const int *size) {
    static const char *const names[] = {"a", "b", "c", "d"};
    Axis axis[RANK_MAX];
    for (int a = 0; a < rank; a++) axis[a] = (Axis){.name = names[a], .size = size[a]};
    Tensor *tensor = tape_given(tape, name, rank, axis);
    for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] = (Number)(i + 1);
    return tensor;
}

#define COUNTING(tape, name, rank, ...) counting(tape, name, rank, (int[]){__VA_ARGS__})
