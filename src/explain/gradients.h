/* gradients.h - the gradients of a training step as tensors, "logits.grad", and the
 * explanation of each number: a sum over all numbers that read it. */
#pragma once

#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    const Tape *tape;
    Tensor *tensor;    /* named "X.grad" */
    const Tensor **of; /* X, for each */
    int count;
} Gradients;

/* Return the gradients of all tensors and weights of a tape after the backward pass, in
 * `arena`. Ids and masks have none. */
Gradients gradients_new(const Tape *tape, const Weights *weights, Arena *arena);

/* Return the gradient with that name, or of that tensor, or NULL. */
const Tensor *gradients_find(const Gradients *gradients, const char *name);
const Tensor *gradients_of(const Gradients *gradients, const Tensor *tensor);

/* Return true if the tensor is one of the gradients. */
bool gradients_have(const Gradients *gradients, const Tensor *tensor);

/* Explain a cell of a gradient by its terms: for each step that read the number, and
 * each number that it computed, the gradient of the output times the derivative of the
 * output with respect to the number. Their sum is the cell. */
void gradients_explain(const Gradients *gradients, const Tensor *tensor, int cell,
                       Arena *arena, Explanation *explanation);
