/* subtraction.h - the difference of two slices, of two runs or addresses. */
#pragma once

#include "tensor/address.h"

/* A slice and its masked cells: one byte per cell, or NULL. */
typedef struct {
    Slice slice;
    const unsigned char *hidden;
    int alone; /* of a difference: number of tokens without a partner */
} Operand;

/* Return `one` minus `other`, in `arena`: a slice of a tensor with the same name. Token
 * axes are aligned by words (explain/alignment.h). A token without a partner is kept,
 * as "+서울" from `one` or "−부산" from `other`, with NaN in its cells. Single
 * positions are subtracted regardless of their labels: "나는 / 그는". Fail with the
 * name of an axis that has nothing in common. */
bool subtraction_slice(const Operand *one, const Operand *other, Arena *arena,
                       Operand *difference, Error *error);
