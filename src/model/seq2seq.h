/* seq2seq.h - what came before the Transformer: one LSTM reads the source, another one
 * writes the target and looks back at the first, with the attention of Luong and others
 * 2015 (dot products). */
#pragma once

#include "model/embedding.h"
#include "model/encoded.h"
#include "model/ids.h"
#include "model/lstm.h"

typedef struct {
    Embedding source, target;
    Lstm encoder, decoder;
    Linear head; /* [vocabulary, 2 hidden], over what was looked up and the state */
    bool scale_scores; /* by 1 / sqrt(d_k), d_k being the size of a state */
    bool keys_are_last_state, lstm_restarts, cell_for_state; /* the mistakes */
} Seq2seq;

Seq2seq seq2seq_new(Weights *weights, const Config *config);

/* The source through its LSTM -> "encoder.output" [batch, source, hidden], all states
 * together, and the last of them. */
Encoded seq2seq_encode(Tape *tape, const Seq2seq *model, const Ids *source);

/* The target's ids [batch, target] through its LSTM, which begins where the encoder's
 * ended -> "logits" [batch, target, vocabulary], and "probabilities" where nothing is
 * learned. */
Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Encoded *source,
                       Tensor *target);
