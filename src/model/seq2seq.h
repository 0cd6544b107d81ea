/* seq2seq.h - the predecessor of the Transformer: one LSTM reads the source, another
 * writes the target and attends to the first, with the attention of Luong et al. 2015
 * (dot products). */
#pragma once

#include "model/embedding.h"
#include "model/encoded.h"
#include "model/ids.h"
#include "model/lstm.h"

typedef struct {
    Embedding source, target;
    Lstm encoder, decoder;
    Linear head; /* [vocabulary, 2 hidden], over the context vector and the state */
    bool scale_scores; /* by 1 / sqrt(d_k), where d_k is the size of a state */
    bool keys_are_last_state, lstm_restarts, cell_for_state; /* the mistakes */
} Seq2seq;

Seq2seq seq2seq_new(Weights *weights, const Config *config);

/* Run the encoder's LSTM on the source -> "encoder.output" [batch, source, hidden], all
 * states, and the last of them. */
Encoded seq2seq_encode(Tape *tape, const Seq2seq *model, const Ids *source);

/* Run the decoder's LSTM on the target's ids [batch, target], starting from the
 * encoder's last state -> "logits" [batch, target, vocabulary], and unless training
 * "probabilities". */
Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Encoded *source,
                       Tensor *target);
