/* ids.h - the input of a model: sentences as numbers, one row each. */
#pragma once

#include "tensor/tape.h"

/* Rows of ids, all of the same length; short ones end with padding. */
typedef struct {
    const int *id; /* rows x length */
    int rows, length;
    const char *const *labels; /* rows x length, or NULL */
} Ids;

/* Return "5,7,2", in `arena`. */
const char *ids_print(const int *id, int count, Arena *arena);

/* Put the ids on the tape as "ids" [batch, `axis_name`]. */
Tensor *ids_given(Tape *tape, const Ids *ids, const char *axis_name);
