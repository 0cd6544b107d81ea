/* story_page.h - a run as pages: its stages, tensors and decoding. */
#pragma once

#include "walk/depth.h"
#include "walk/story.h"

/* Add a stage to the page: in the walk by boxes, its text, picture and remark; by
 * steps, also the formula and shapes; by numbers, all its tensors. Return the address
 * of the cell that was described, in the page's arena, or NULL. */
const char *story_stage(const Story *story, const Stage *stage, const StoryPlace *place,
                        Page *page);

/* Add the decoding as a whole: choices, confidence, attention. Returns the same as
 * story_stage(). */
const char *story_decoding_whole(const Story *story, const StoryPlace *place,
                                 Page *page);

/* Add step `step` of the decoding: the candidates, the choice and the attention. */
void story_step(const Story *story, int step, const StoryPlace *place, Page *page);

/* Add the steps of the decoding, one line each, and the resulting sentence. */
void story_decoding(const Story *story, Page *page);
