/* lent.h - memory for gradients that are needed for a moment only: from the first step
 * that writes one to the step that passes it on. */
#pragma once

#include "tensor/tensor.h"

typedef struct {
    Number *numbers;
    int size;
} Spare;

typedef struct {
    Spare *spare; /* what was taken back, and may be lent again */
    int count, capacity;
} Lent;

/* A grad for `tensor`, its numbers not yet set: one that was taken back last, if any
 * has this size, or else a new one in `arena`. A tensor that has a grad keeps it. */
void lent_give(Lent *lent, Tensor *tensor, Arena *arena);

/* It has no grad any more, if it had one; grad_written stays. `arena` keeps the list.
 */
void lent_take_back(Lent *lent, Tensor *tensor, Arena *arena);
