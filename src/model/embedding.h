/* embedding.h - a vector for each token, and what is done to it before the first layer:
 * "Input Embedding" and "Positional Encoding" of Figure 1, section 3.4. */
#pragma once

#include "model/position.h"
#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    Tensor *table; /* [vocabulary, d_model] */
    Position position;
    bool has_positions;
} Embedding;

/* Declare the table of the source, and of the target: with share_embeddings that is the
 * source's. */
Tensor *embedding_source_table(Weights *weights, const Config *config);
Tensor *embedding_target_table(Weights *weights, const Config *config, Tensor *source);

/* Rows of the table for ids [batch, token], x sqrt(d_model), plus positions -> "input"
 * [batch, token, d_model], with dropout while learning. The first token stands at
 * position `first`. */
Tensor *embedding_run(Tape *tape, const Embedding *embedding, const Config *config,
                      Tensor *ids, int first);
