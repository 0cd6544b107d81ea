/* subtraction.h - two slices, of two runs or places, as one of their difference. */
#pragma once

#include "tensor/address.h"

/* A slice, and which cells of its tensor are hidden: one byte for each, or NULL. */
typedef struct {
    Slice slice;
    const unsigned char *hidden;
    int alone; /* of a difference: how many tokens along its axes have no partner */
} Operand;

/* `one` less `other`, in `arena`: a slice of a tensor of the same name. Axes of tokens
 * are aligned by words (explain/alignment.h); a token without a partner stands there
 * all the same, as "+서울" of `one` or "−부산" of `other`, and its cells are no
 * numbers. Single places that were chosen are subtracted whatever their labels are:
 * "나는 / 그는". Fails where an axis has nothing in common, and names it. */
bool subtraction_slice(const Operand *one, const Operand *other, Arena *arena,
                       Operand *difference, Error *error);
