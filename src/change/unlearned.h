/* unlearned.h - which words a model never met while it learned.
 *
 * The row of such a word got no gradient, so it is still, bit for bit, what the seed
 * of the initial weights made it: that can be computed again, and nobody has to keep
 * lists. */
#pragma once

#include "model/model.h"

/* For each row of the table that embeds the source whether it never learned anything,
 * in `arena`. NULL where that cannot be known: the model has not learned at all, nobody
 * knows its seed, or its table also makes the logits, so that every row has moved. */
const bool *unlearned_rows(const Model *model, const Tensor *table, Arena *arena);
