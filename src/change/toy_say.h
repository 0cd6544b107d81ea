/* toy_say.h - a toy as a page: row after row, every product written out. */
#pragma once

#include "change/toy.h"

/* The projections, if there are any, then each query: its scores, scaled, its weights,
 * and the context that they mix. */
void toy_say(const Tape *tape, Page *page);
