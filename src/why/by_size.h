/* by_size.h - the largest first. */
#pragma once

#include "base/arena.h"

/* The indices of `count` sizes, in `arena`, the largest first. Equal ones stay in their
 * order, and so do those that differ by less than a hundred-thousandth of the largest:
 * which half of a score rounding makes the larger one differs from processor to
 * processor. What is no number is larger than all. */
int *by_size(const double *size, int count, Arena *arena);
