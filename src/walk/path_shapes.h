/* path_shapes.h - what a stop computes, in a few lines: its formulas, and the shapes of
 * its inputs and outputs. */
#pragma once

#include "walk/depth.h"
#include "walk/followed.h"

typedef struct {
    const Story *story;
    const Stage *stage; /* a stage of place->walk */
    const StageView *view;
    const StoryPlace *place;
    const Here *here;
    const Followed *followed;
    int head; /* the head that is shown */
} PathStop;

/* Add the formulas and one line with the shapes of inputs and outputs. */
void path_say_shapes(const PathStop *stop, Page *page);

/* Add one line with the shapes of a decoding step. */
void path_say_decoding(const Story *story, Page *page);

/* Add the formula of each step of the stage to the `lines` already in `line`, without
 * duplicates. Return the new number of lines, up to `max`. */
int path_formulas(const Story *story, const Stage *stage, const char **line, int lines,
                  int max, Arena *arena);

/* Return the tensor that the next stop reads: the last one with the most axes. */
const Tensor *path_main_tensor(const Stage *stage);

/* Return the output of layer `layer` of the stack, which the next layer reads, or NULL.
 */
const Tensor *path_layer_output(const Tape *run, const char *stack, int layer);
