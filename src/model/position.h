/* position.h - "Positional Encoding" of Figure 1, section 3.5. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    PositionKind kind;
    Tensor *table; /* [offset + max_length, d_model] if learned, else NULL */
    int d_model;
    int offset; /* the row of the table for the first token */
} Position;

/* Declare the weights; `place` is "model.encoder" or "model.decoder". */
Position position_new(Weights *weights, const char *place, const Config *config);

/* One row for each token, the first of which is at position `first` -> "position"
 * [source, d_model]. */
Tensor *position_run(Tape *tape, const Position *position, Axis tokens, int first);
