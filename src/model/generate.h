/* generate.h - decoding: from a source sentence to target tokens, one after the other.
 */
#pragma once

#include "model/model.h"
#include "tensor/tape.h"

typedef struct {
    int *id; /* what was chosen, without <start>; with <end> if it came */
    int count;
    bool ended; /* false: the limit came first */
} Generated;

/* The longest target for a source of that many tokens: 50 more than it has, as in the
 * paper (section 6.1), or what the model's positions allow. */
int generate_limit(const Config *config, int source_tokens);

/* Greedy decoding: at each step the most probable token, the lower id of equals, until
 * <end> or `limit` tokens. `source` has one row. The tape, empty or holding
 * encoder.output of that row, then has the encoder's tensors and those of every step
 * T under "step.T."; ids lie in the tape's arena. Keys and values are remembered
 * from step to step where that gives the same numbers, unless `remember` is false. A
 * model that cannot generate fails the tape. */
Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool remember);
