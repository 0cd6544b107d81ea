/* lstm.h - reading token by token with a memory: Long Short-Term Memory, Hochreiter and
 * Schmidhuber 1997, with the forget gate of Gers and others 2000. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

/* The weights of all four gates lie below each other, in the order i, f, g, o. */
typedef struct {
    Linear input; /* W and its bias: [4 hidden, d_model], [4 hidden] */
    Linear state; /* U and its bias: [4 hidden, hidden], [4 hidden] */
} Lstm;

/* What goes on from token to token, each [batch, hidden]. */
typedef struct {
    Tensor *h; /* the hidden state: what it shows */
    Tensor *c; /* the cell: what it remembers */
} LstmState;

typedef struct {
    Tensor *x;        /* [batch, token, d_model] */
    LstmState before; /* where it begins; NULL: zeros */
    bool restarts;    /* the mistake lstm_restarts: from there at every token */
} LstmInput;

/* `place` is "model.encoder.lstm" or "model.decoder.lstm". */
Lstm lstm_new(Weights *weights, const char *place, const Config *config);

/* One state for each token, in the tape's arena; NULL from a failed tape. On the tape
 * under "lstm.": the sums W x + b of all tokens as "from_input", where it begins as
 * "initial_state" and "initial_cell", and for token T "T.from_state", the gates, cell
 * and state. Padding is read like any token: there is no mask. */
LstmState *lstm_run(Tape *tape, const Lstm *lstm, const LstmInput *input);

/* The hidden states, or the cells, of all tokens -> [batch, token, hidden], whose
 * second axis is `tokens`. */
Tensor *lstm_states(Tape *tape, const char *name, const LstmState *state, Axis tokens);
Tensor *lstm_cells(Tape *tape, const char *name, const LstmState *state, Axis tokens);
