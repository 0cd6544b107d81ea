/* gradients.h - the gradients of a step of learning as tensors of their own,
 * "logits.grad", and where one number of them came from: from every number that read
 * it. */
#pragma once

#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    const Tape *tape;
    Tensor *tensor;    /* named "X.grad" */
    const Tensor **of; /* X, for each */
    int count;
} Gradients;

/* Those of all tensors of a tape that has run backwards and of the weights it read, in
 * `arena`. Ids and masks have none. */
Gradients gradients_new(const Tape *tape, const Weights *weights, Arena *arena);

/* The gradient of that name, or of that tensor, or NULL. */
const Tensor *gradients_find(const Gradients *gradients, const char *name);
const Tensor *gradients_of(const Gradients *gradients, const Tensor *tensor);

/* Is it one of them? */
bool gradients_have(const Gradients *gradients, const Tensor *tensor);

/* The parts that a cell of such a tensor was made of: for each step that read the
 * number, and each number that the step made of it, the gradient of that times how much
 * it moves with this one. Their sum is the cell. */
void gradients_explain(const Gradients *gradients, const Tensor *tensor, int cell,
                       Arena *arena, Explanation *explanation);
