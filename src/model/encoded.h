/* encoded.h - the arrow from the encoder to the decoder of Figure 1: all that the one
 * side hands to the other. */
#pragma once

#include "model/ids.h"
#include "model/lstm.h"

typedef struct {
    Ids prompt;      /* without an encoder: what the target begins with; else no rows */
    Tensor *output;  /* [batch, source, d_model], of seq2seq [batch, source, hidden] */
    Tensor *padding; /* [batch, source]: 1 where the source is padding; seq2seq: NULL */
    LstmState last;  /* of seq2seq: with what its LSTM ended; else NULL */
} Encoded;
