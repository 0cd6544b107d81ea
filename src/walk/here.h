/* here.h - what stands out here: one or two sentences about this sentence, computed
 * from the numbers of a stage, and one command to look further.
 *
 * tests/stories recomputes every number that is told from a trace. */
#pragma once

#include "walk/telling.h"

/* Say it on a page. */
void here_say(const Here *here, Page *page);

/* Of a stage of the story's sentence; all in `arena`. */
Here here_of(const Story *story, const Stage *stage, Arena *arena);

/* Of the decoding as a whole. */
Here here_of_decoding(const Story *story, Arena *arena);
