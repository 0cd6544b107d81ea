/* decoded.h - what the steps of a decoding recorded. */
#pragma once

#include "walk/story.h"

/* What step `step` recorded as `part` ("probabilities"), or NULL. */
const Tensor *decoded_part(const Story *story, int step, const char *part,
                           Arena *arena);

/* Where in the step's probabilities that of the token it chose stands: in the last row,
 * since those before it were asked in the steps before. */
int decoded_cell(const Story *story, int step, const Tensor *probabilities);

/* The probability of the token that step `step` chose; 0 where none are recorded. */
double decoded_share(const Story *story, int step, Arena *arena);
