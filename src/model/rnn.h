/* rnn.h - the plain recurrent network of Elman 1990, which reads token by token and
 * keeps only a state. A baseline for LSTM and attention. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    Linear input; /* W and its bias: [hidden, d_model], [hidden] */
    Linear state; /* U and its bias: [hidden, hidden], [hidden] */
} Rnn;

/* Declare the weights; `place` is "model.encoder.rnn". They are named as in
 * torch.nn.RNN. */
Rnn rnn_new(Weights *weights, const char *place, const Config *config);

/* The state after each token of x [batch, token, d_model] -> "output" [batch, token,
 * hidden]. The initial state is zero. On the tape under "rnn.": W x + b of all tokens
 * as "from_input", "initial_state", and for each token T "T.from_state" and "T.state".
 * Padding is read like any token. */
Tensor *rnn_run(Tape *tape, const Rnn *rnn, Tensor *x);
