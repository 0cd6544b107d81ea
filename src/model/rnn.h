/* rnn.h - reading token by token with nothing but a state: the plain recurrent network
 * of Elman 1990, which an LSTM and attention are compared with. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    Linear input; /* W and its bias: [hidden, d_model], [hidden] */
    Linear state; /* U and its bias: [hidden, hidden], [hidden] */
} Rnn;

/* `place` is "model.encoder.rnn"; the weights have the names of torch.nn.RNN. */
Rnn rnn_new(Weights *weights, const char *place, const Config *config);

/* The state after each token of x [batch, token, d_model] -> "output" [batch, token,
 * hidden], which begins with zeros. On the tape under "rnn.": W x + b of all tokens as
 * "from_input", "initial_state", and for token T "T.from_state" and "T.state". Padding
 * is read like any token. */
Tensor *rnn_run(Tape *tape, const Rnn *rnn, Tensor *x);
