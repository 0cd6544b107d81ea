/* progress.h - how far a training is, as text: what windows that show it share. */
#pragma once

#include "canvas/grid.h"
#include "page/page.h"

/* The losses so far as a curve of so many rows, in `arena`; "" while there are fewer
 * than two. */
const char *progress_curve(const ProgressBlock *progress, int width, int rows,
                           Colors colors, Arena *arena);

/* "step 3 of 100  loss 2.1000  ...", in `arena`. */
const char *progress_facts(const ProgressBlock *progress, Arena *arena);
