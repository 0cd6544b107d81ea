/* mask_matrix.h - who may look where as numbers of their own: what a tutorial prints.
 */
#pragma once

#include "ops/ops.h"

/* Puts on the tape, for the first attention on it that hides what comes later (or,
 * where none does, the first that hides anything):
 *
 *     mask.padding     [batch, key]           1 where the key is padding
 *     mask.look_ahead  [batch, query, key]    1 where the key comes later
 *     mask.combined    [batch, query, key]    1 where either is so: hidden
 *
 * The last two only where later keys are hidden, none where nothing is. */
void mask_matrices(Tape *tape);
