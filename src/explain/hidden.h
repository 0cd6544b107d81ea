/* hidden.h - which cells of a tensor that a run made the mask hides. */
#pragma once

#include "explain/record.h"
#include "tensor/tape.h"

/* One byte for each cell, 1 where it is hidden, in `arena`; NULL where nothing is. For
 * masked scores, for the attention weights made of them, and for the gradients of both.
 * For tensors whose numbers were put together, too: hidden_cells() of reduction.h. */
const unsigned char *masked_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena);

/* How many indices of the axis belong to sentence `row` itself, one at least: the
 * padding of a batch is behind them. */
int unpadded_size(const Axis *axis, int row);

/* What 1 and 0 mean in a mask of mask_matrices(), beside what they mean
 * elsewhere; NULL for other tensors. */
const char *hidden_convention(const Tensor *tensor);

/* Puts on the tape, for the first attention on it that hides what comes later (or,
 * where none does, the first that hides anything):
 *
 *     mask.padding     [batch, key]           1 where the key is padding
 *     mask.look_ahead  [batch, query, key]    1 where the key comes later
 *     mask.combined    [batch, query, key]    1 where either is so: hidden
 *
 * The last two only where later keys are hidden, none where nothing is. */
void mask_matrices(Tape *tape);

/* One of these as most tutorials have it, [batch, head 1, query, key], in `arena`: 1 is
 * kept, 0 is hidden; of padding one row for all queries. */
Tensor *mask_kept(const Tape *tape, const Tensor *mask, Arena *arena);
