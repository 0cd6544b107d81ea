/* flow_back.h - the gradient of a number, followed back step by step so that nothing of
 * it is lost: each step's operation says how (Op.because). */
#pragma once

#include "explain/record.h"
#include "tensor/flow.h"

/* The same sum as flows of the inputs, into[i] of input i (without a tensor where that
 * takes no part), and the part that is the same for every sentence, `constant`. False
 * where the step's numbers come from nowhere else: the rows of a table, waves, ids. */
bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant);

/* The step is softmax(...) times values, which it mixes. */
bool flow_mixes(const Record *record, const Step *step);

/* A row of an embedding, that is a token of a sentence. */
typedef struct {
    const Tensor *tensor; /* [batch, token, d_model] */
    int row;              /* counted over all sentences */
    double value;         /* what it adds to the flow's */
} WordOrigin;

typedef struct {
    WordOrigin *origin; /* the largest first */
    int count, capacity;
    double size; /* of all together, without their signs */
} Origins;

/* In `arena`. Biases and positions are no words and do not count. */
Origins origins_of(const Record *record, const Flow *flow, Arena *arena);

/* "친구 64 %, 를 22 %": the largest shares among the words, at most `most` of them; ""
 * where there are none. In `arena`. */
const char *origins_print(const Origins *origins, int most, Arena *arena);

/* "친구", or without labels "source 3". In `arena`. */
const char *origins_token(const Tensor *tensor, int axis, int cell, Arena *arena);
