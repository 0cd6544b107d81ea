/* story_page.h - a run as pages: its stages, tensors and decoding. */
#pragma once

#include "walk/story.h"
#include "walk/walk.h"

/* Where a walk is: stop `number` of `count` at that depth. */
typedef struct {
    int number, count;
    const char *title, *name;
    Depth depth;
} StoryPlace;

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

/* All steps of the decoding, a line each, and the sentence that came of it. */
void story_decoding(const Story *story, Page *page);

/* A slice as numbers, all of them. */
void story_numbers(const Story *story, const Slice *slice, Page *page);

/* Slices as one heatmap or a grid of them. The slices must live as long as the page. */
void story_figure(const Story *story, const Slice *slices, int count, Page *page);

/* The formula of `step`, in `arena`. A tensor of the same box is called by its short
 * name, one of the same `place` ("encoder.0") by what follows that, one of
 * elsewhere by its address, and a weight as the paper does: W_Q. */
const char *formula_print(const Step *step, const char *place, Arena *arena);
