/* hidden.h - which cells of a tensor are masked. */
#pragma once

#include "explain/record.h"
#include "tensor/tape.h"

/* Return one byte per cell, 1 if it is masked, in `arena`; NULL if none is. For masked
 * scores, the attention weights computed from them, and the gradients of both. For
 * reduced tensors use hidden_cells() of reduction.h. */
const unsigned char *masked_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena);

/* Return how many indices of the axis, at least one, belong to sentence `row` itself,
 * before the padding of the batch. */
int unpadded_size(const Axis *axis, int row);

/* Return what 1 and 0 mean in a mask of mask_matrices(), and in other programs; NULL
 * for other tensors. */
const char *hidden_convention(const Tensor *tensor);

/* Add the masks of an attention to the tape: the first attention that masks later keys,
 * or else the first that masks anything.
 *
 *     mask.padding     [batch, key]           1 where the key is padding
 *     mask.look_ahead  [batch, query, key]    1 where the key comes later
 *     mask.combined    [batch, query, key]    1 where either is 1: masked
 *
 * The last two exist only if later keys are masked; none if nothing is. */
void mask_matrices(Tape *tape);

/* Return one of these masks in the form that most tutorials use, [batch, head 1, query,
 * key], in `arena`: 1 keeps, 0 masks. A padding mask has one row for all queries. */
Tensor *mask_kept(const Tape *tape, const Tensor *mask, Arena *arena);
