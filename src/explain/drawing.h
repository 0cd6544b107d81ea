/* drawing.h - the figure of slices of a run: which kind, which scale, which cells the
 * mask hides. */
#pragma once

#include "explain/record.h"
#include "figure/figure.h"

/* The figure of `count` slices as suits them, in `arena`. `palette` NULL: its own. */
Figure drawing_new(const Record *record, const Slice *slices, int count,
                   const Palette *palette, Arena *arena);
