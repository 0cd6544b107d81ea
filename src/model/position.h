/* position.h - where a token is: "Positional Encoding" of Figure 1, section 3.5. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    PositionKind kind;
    Tensor *table; /* [offset + max_length, d_model] where positions are learned, else
                    * NULL */
    int d_model;
    int offset; /* the row of the table for the first token */
} Position;

/* `place` is "model.encoder" or "model.decoder". */
Position position_new(Weights *weights, const char *place, const Config *config);

/* One row for each of the tokens, the first of them at position `first` -> "position"
 * [source, d_model]. */
Tensor *position_run(Tape *tape, const Position *position, Axis tokens, int first);
