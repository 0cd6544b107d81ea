/* diagnosis.h - where a loss that is no number came from. */
#pragma once

#include "store/weights.h"
#include "tensor/tape.h"

enum { DIAGNOSIS_TAPES = 64 };

typedef struct {
    const Weights *weights;
    const Tape *tape[DIAGNOSIS_TAPES]; /* of the same network, one for each thread */
    const Weights *learned[DIAGNOSIS_TAPES]; /* whose grads they filled */
    int tapes;
} Diagnosis;

/* "it appears first in encoder.0.feed_forward.hidden[batch=0, ...]", in `arena`: the
 * weights, then the tensors in the order they were made, then the gradients of the
 * weights in the order of the way back; what the steps made has none where a tape
 * lends. -inf is a number that a mask may write. */
const char *diagnosis_find(const Diagnosis *diagnosis, Arena *arena);
