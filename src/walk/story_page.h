/* story_page.h - a run as pages: its stages, tensors and decoding. */
#pragma once

#include "walk/depth.h"
#include "walk/story.h"

/* What a stage tells: as a box its text, its picture and what stands out here; as a
 * step the formula and the shapes, too; and all numbers of its tensors as such. Returns
 * the address of the cell that was told of, in the page's arena, or NULL; so does the
 * next. */
const char *story_stage(const Story *story, const Stage *stage, const StoryPlace *place,
                        Page *page);

/* The decoding as a whole: what was chosen, how sure it was, and what it looked at. */
const char *story_decoding_whole(const Story *story, const StoryPlace *place,
                                 Page *page);

/* Step `step` of the decoding: the candidates, the choice, and what it looked at. */
void story_step(const Story *story, int step, const StoryPlace *place, Page *page);

/* The steps of the decoding, a line each, and the sentence that came of it. */
void story_decoding(const Story *story, Page *page);
