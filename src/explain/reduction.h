/* reduction.h - what addresses of figures can say beyond a cell or a slice:
 * weights[head=mean] is a tensor whose numbers along an axis were put together. */
#pragma once

#include "explain/record.h"

/* Is `word` mean, max or min? */
bool is_reduction(const char *word);

/* The slice of `tensor` that the brackets of `address` choose, as address_slice() does,
 * once each "axis=mean", "=max" or "=min" among them was carried out: the axis stays,
 * one long. A masked weight counts as the 0 that it is; a masked score has no value and
 * does not count. A label that is called so goes before. Fails, too, where sentences of
 * a batch or ids would be put together. */
bool reduction_slice(const Record *record, const char *address, const Tensor *tensor,
                     Arena *arena, Slice *slice, Error *error);

/* One byte for each cell, in `arena`: 1 where it is hidden, or all that was put
 * together in it. NULL where nothing is. */
const unsigned char *hidden_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena);
