/* drawing.h - choose the figure for slices of a run: its kind, its scale, and the
 * masked cells. */
#pragma once

#include "explain/record.h"
#include "figure/figure.h"

/* Return the figure for `count` slices, in `arena`. `palette` NULL: its default. */
Figure drawing_new(const Record *record, const Slice *slices, int count,
                   const Palette *palette, Arena *arena);
