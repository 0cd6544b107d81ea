/* reduction.h - addresses of figures that reduce an axis: weights[head=mean] is the
 * mean over all heads. */
#pragma once

#include "explain/record.h"

/* Return true if `word` is mean, max or min. */
bool is_reduction(const char *word);

/* Return the slice of `tensor` that the brackets of `address` select, as
 * address_slice() does, after each "axis=mean", "=max" or "=min" has reduced its axis
 * to size 1. A masked weight counts as its value, 0; a masked score has no value and is
 * skipped. Labels with these names take precedence. Also fail if the axis is the batch,
 * or the numbers are ids. */
bool reduction_slice(const Record *record, const char *address, const Tensor *tensor,
                     Arena *arena, Slice *slice, Error *error);

/* Return one byte per cell, in `arena`: 1 if it, or everything reduced into it, is
 * masked. NULL if nothing is. */
const unsigned char *hidden_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena);
