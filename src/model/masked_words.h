/* masked_words.h - the head of a masked language model, an encoder-only model that
 * predicts masked tokens: Devlin et al. 2018, section 3.1, as in BERT. */
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

/* Declare the layers; the caller owns the embedding table [vocabulary, d_model]. */
MaskedWords masked_words_new(Weights *weights, const Config *config, Tensor *table);

/* From the encoder's output [batch, source, d_model] compute "logits" [batch, source,
 * vocabulary] for every token, masked or not, and, unless training, "probabilities". */
Tensor *masked_words_run(Tape *tape, const MaskedWords *words, Tensor *output);
