/* embedding.h - a vector for each token, and what happens to it before the first layer:
 * "Input Embedding" of Figure 1, section 3.4, and the sum with the positions. */
#pragma once

#include "model/position.h"
#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    Tensor *table; /* [vocabulary, d_model] */
    Position position;
    bool has_positions;
    bool is_scaled;      /* by sqrt(d_model) */
    Tensor *token_types; /* [types, d_model], or NULL: not added */
    int end_id;          /* the next type starts after it */
    int max_length;      /* of a sentence, in tokens */
    bool has_norm;
    Norm norm;
    double dropout;
} Embedding;

/* Declare the embedding tables of source and target; with share_embeddings they are the
 * same. */
Tensor *embedding_source_table(Weights *weights, const Config *config);
Tensor *embedding_target_table(Weights *weights, const Config *config, Tensor *source);

/* Declare "Linear" at the end of Figure 1: the weights lm_head [vocabulary, d_model]
 * and their bias; with tie_embeddings the weights are `table`. */
Linear output_layer_new(Weights *weights, const Config *config, Tensor *table);

/* Return an embedding that uses `table`, with positions declared below `place`
 * ("model.encoder"); NULL: without positions. */
Embedding embedding_new(Weights *weights, const char *place, const Config *config,
                        Tensor *table);

/* Does a text of `tokens` tokens fit into the model? If not, the tape fails. `text` is
 * its name in messages: "source", "target", "prompt". */
bool embedding_fits(Tape *tape, const Embedding *embedding, const char *text,
                    int tokens);

/* Rows of the table for ids [batch, token], x sqrt(d_model), plus positions and token
 * types -> "input" [batch, token, d_model], then a norm if the model has one, and
 * dropout during training. The first token is at position `first`. */
Tensor *embedding_run(Tape *tape, const Embedding *embedding, Tensor *ids, int first);
