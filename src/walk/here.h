/* here.h - the "Here:" remark of a stop: one or two sentences on the input sentence,
 * computed from a stage's numbers, and a command that shows more.
 *
 * tests/reference/stories.py recomputes every number of these sentences from a trace.
 */
#pragma once

#include "walk/story.h"
#include "walk/walk.h"

typedef struct {
    const char *text;     /* NULL: nothing to say about such a stage */
    const char *told;     /* address of the cell that the text is about, or NULL */
    const char *command;  /* runs as printed; NULL: none */
    int head;             /* the head that the text is about; -1: none */
    const Tensor *tensor; /* the tensor of the cell `told`; NULL: none */
    int cell;
} Here;

/* Add it to a page. */
void here_say(const Here *here, Page *page);

/* A stage to describe. */
typedef struct {
    const Story *story;
    const Stage *stage; /* NULL: the decoding */
    Arena *arena;
    struct Followed *followed; /* the last one found, see followed_in() */
} StageView;

/* Return the view of a stage, or of the decoding if `stage` is NULL. */
StageView stage_view(const Story *story, const Stage *stage, Arena *arena);

/* Return the remark on a stage, for the story's sentence. */
Here here_of(const StageView *view);

/* Return the remark on the decoding as a whole. */
Here here_of_decoding(const Story *story, Arena *arena);

/* The rest is shared by the files that describe stages: here_attention.c (inside of
 * attention), here_feed_forward.c (units) and here_rows.c (rows of features). */

/* Describe a stage. Return a Here without text if there is nothing to say. */
typedef Here Tell(const StageView *view);

Tell tell_projections, tell_heads, tell_rotated, tell_scores, tell_scaled, tell_masked,
    tell_weights, tell_context, tell_concat, tell_dropped;

Tell tell_embedding, tell_position, tell_input, tell_added, tell_add_norm,
    tell_feed_forward, tell_output_rows, tell_step, tell_logits, tell_probabilities,
    tell_mean;

extern const Here here_nothing;

/* Return a Here about that cell, whose command is ":why ADDRESS". */
Here here_cell(const StageView *view, const char *text, const Tensor *tensor, int cell);

/* The same for the number farthest from 0 in the row that starts at cell `row`. */
Here here_row(const StageView *view, const char *text, const Tensor *tensor, int row);

/* Return the stage's tensor of that name, for example "weights", or NULL. */
const Tensor *stage_view_part(const StageView *view, const char *name);

/* Return how many tokens along axis `a` belong to the story's sentence, without
 * padding. */
int stage_view_tokens(const StageView *view, const Tensor *tensor, int a);

/* Return the first cell of row `token` of [batch, token, features] for the story's
 * sentence. A tensor with a batch of 1 is shared by all sentences. */
int stage_view_row(const StageView *view, const Tensor *tensor, int token);

/* Return the label of token `index` along axis `a` as used in a sentence, without the
 * leading · of a space. The full label includes it. */
const char *stage_view_label(const StageView *view, const Tensor *tensor, int a,
                             int index);
const char *stage_view_full_label(const StageView *view, const Tensor *tensor, int a,
                                  int index);

/* Remove the · from full labels, unless two labels would become the same. */
void tell_apart(const char **label, int count);

/* Return true for tokens that no sentence is about: <end>, <start>, a full stop. */
bool stage_view_is_mark(const StageView *view, const Tensor *tensor, int a, int index);

/* Statistics of one or two rows of `size` numbers. */
double row_cosine(const Number *a, const Number *b, int size);
double row_length(const Number *a, int size);
double row_mean(const Number *a, int size);
double row_deviation(const Number *a, int size);
