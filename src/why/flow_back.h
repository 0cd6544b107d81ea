/* flow_back.h - trace the gradient of a number back, step by step, without losing any
 * of it; the step's operation defines how (Op.relevance). */
#pragma once

#include "explain/record.h"
#include "tensor/flow.h"

/* Express a flow as flows of the step's inputs: into[i] for input i (without a tensor
 * if it does not contribute), plus `constant`, a part that is the same for every
 * sentence. Return false if the step's numbers have no inputs to trace: rows of a
 * table, sinusoids, ids. */
bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant);

/* Return true if the step is softmax(...) times values, which it averages. */
bool flow_mixes(const Record *record, const Step *step);

/* A row of an embedding: a token of a sentence. */
typedef struct {
    const Tensor *tensor; /* [batch, token, d_model] */
    int row;              /* numbered through all sentences */
    double value;         /* its contribution to the flow */
} WordOrigin;

typedef struct {
    WordOrigin *origin; /* largest first */
    int count, capacity;
    double size; /* sum of all |value| */
} Origins;

/* Trace a flow back to the words, in `arena`. Biases and positions do not count. */
Origins origins_of(const Record *record, const Flow *flow, Arena *arena);

/* Return the words' largest shares, at most `max`, in `arena`: "친구 64%, 를 22%"; ""
 * if there are none. If a source and a target token look the same, it says which is
 * which. */
const char *origins_print(const Origins *origins, int max, Arena *arena);

/* Return the label of a token, in `arena`: "친구", or "source 3" without labels. */
const char *origins_token(const Tensor *tensor, int axis, int cell, Arena *arena);
