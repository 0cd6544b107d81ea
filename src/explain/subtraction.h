/* subtraction.h - two slices, of two runs or places, as one of their difference. */
#pragma once

#include "tensor/address.h"

/* `slice` less `other`, cell by cell, in `arena`: a slice of the same place in a tensor
 * of the same name. Labels that differ stand as "나는 / 그는". Fails where the axes are
 * not the same ones or not of one length, and names the first that differs. */
bool subtraction_slice(const Slice *slice, const Slice *other, Arena *arena,
                       Slice *difference, Error *error);

/* Which of its cells are hidden in both, one byte for each cell of the tensor, in
 * `arena`; either may be NULL: none is. NULL where none is in both. */
const unsigned char *subtraction_hidden(const Slice *slice, const unsigned char *hidden,
                                        const Slice *other,
                                        const unsigned char *hidden_other,
                                        Arena *arena);

/* A copy of the slice and its tensor that needs nothing else to live on, in `arena`. */
Slice subtraction_copy(const Slice *slice, Arena *arena);
