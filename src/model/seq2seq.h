/* seq2seq.h - what came before the Transformer: one LSTM reads the source, another one
 * writes the target and looks back at the first, with the attention of Luong and others
 * 2015 (dot products). */
#pragma once

#include "model/embedding.h"
#include "model/ids.h"
#include "model/lstm.h"

typedef struct {
    Embedding source, target;
    Lstm encoder, decoder;
    Linear head; /* [vocabulary, 2 hidden], over what was looked up and the state */
} Seq2seq;

Seq2seq seq2seq_new(Weights *weights, const Config *config);

/* The source through its LSTM -> "encoder.output" [batch, source, hidden], all states
 * together. */
Tensor *seq2seq_encode(Tape *tape, const Seq2seq *model, const Config *config,
                       const Ids *source);

/* The target through its LSTM, which begins where the encoder's ended, given
 * encoder.output on the same tape -> "logits" [batch, target, vocabulary], and
 * "probabilities" where nothing is learned. */
Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Config *config,
                       const Ids *target);
