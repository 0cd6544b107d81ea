/* lstm.h - Long Short-Term Memory, which reads token by token: Hochreiter and
 * Schmidhuber 1997, with the forget gate of Gers et al. 2000. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

/* The weights of all four gates are stacked, in the order i, f, g, o. */
typedef struct {
    Linear input; /* W and its bias: [4 hidden, d_model], [4 hidden] */
    Linear state; /* U and its bias: [4 hidden, hidden], [4 hidden] */
} Lstm;

/* The state that is passed from token to token, each [batch, hidden]. */
typedef struct {
    Tensor *h; /* the hidden state, which is the output */
    Tensor *c; /* the cell, which is the memory */
} LstmState;

typedef struct {
    Tensor *x;        /* [batch, token, d_model] */
    LstmState before; /* the initial state; NULL: zeros */
    bool restarts; /* the mistake lstm_restarts: start from `before` at every token */
} LstmInput;

/* Declare the weights; `place` is "model.encoder.lstm" or "model.decoder.lstm". */
Lstm lstm_new(Weights *weights, const char *place, const Config *config);

/* Return one state for each token, in the tape's arena; NULL if the tape failed. On the
 * tape under "lstm.": the sums W x + b of all tokens as "from_input", the initial state
 * as "initial_state" and "initial_cell", and for each token T "T.from_state", the
 * gates, cell and state. Padding is read like any token, without a mask. */
LstmState *lstm_run(Tape *tape, const Lstm *lstm, const LstmInput *input);

/* The hidden states, or the cells, of all tokens -> [batch, token, hidden]; the second
 * axis is `tokens`. */
Tensor *lstm_states(Tape *tape, const char *name, const LstmState *state, Axis tokens);
Tensor *lstm_cells(Tape *tape, const char *name, const LstmState *state, Axis tokens);
