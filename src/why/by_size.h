/* by_size.h - sort by size. */
#pragma once

#include "base/arena.h"

/* Return the indices of `count` sizes in descending order, in `arena`. The sort is
 * stable, and sizes that differ by less than 1e-5 of the largest count as equal, so
 * rounding, which depends on the processor, cannot change the order. NaN comes
 * first. */
int *by_size(const double *size, int count, Arena *arena);
