/* origins.h - the words that a flow comes from, by whatever way: the flow followed back
 * to the embeddings, through all layers and heads at once. */
#pragma once

#include "why/flow_back.h"

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
