/* taken.h - of logits and probabilities, which word was taken of each row. */
#pragma once

#include "explain/record.h"

/* Is it what a model ends with, a number for every word or label? */
bool is_of_words(const Tensor *tensor);

/* One byte for each cell, in `arena`: 1 for the word that the decoding chose or the
 * target went on with, and for a classifier's best label. NULL for other tensors, and
 * where nothing of it is known. */
const unsigned char *taken_cells(const Record *record, const Tensor *tensor,
                                 Arena *arena);
