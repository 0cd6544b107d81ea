/* masked_words.h - an encoder alone that says which word stands where one is hidden:
 * the head of Devlin et al. 2018, section 3.1, as BERT has it. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    Linear dense; /* [d_model, d_model] */
    Activation activation;
    Norm norm;
    Linear
        head; /* [vocabulary, d_model]; with tie_embeddings its weight is the table */
} MaskedWords;

/* The layers; the embedding's table [vocabulary, d_model] is the caller's. */
MaskedWords masked_words_new(Weights *weights, const Config *config, Tensor *table);

/* What the encoder made [batch, source, d_model] -> "logits" [batch, source,
 * vocabulary], and "probabilities" where nothing is learned: of every token, hidden or
 * not. */
Tensor *masked_words_run(Tape *tape, const MaskedWords *words, Tensor *output);
