/* encoded.h - the arrow from the encoder to the decoder of Figure 1: everything that
 * the decoder gets from the encoder. */
#pragma once

#include "model/ids.h"
#include "model/lstm.h"

typedef struct {
    Ids prompt;      /* without an encoder: the start of the target; else no rows */
    Tensor *output;  /* [batch, source, d_model]; seq2seq: [batch, source, hidden] */
    Tensor *padding; /* [batch, source]: 1 for padding; seq2seq: NULL */
    LstmState last;  /* seq2seq: the last state of its LSTM; else NULL */
} Encoded;
