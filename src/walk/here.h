/* here.h - what stands out here: one or two sentences about this sentence, computed
 * from the numbers of a stage, and one command to look further.
 *
 * tests/reference/stories.py recomputes every number that is told from a trace. */
#pragma once

#include "walk/story.h"
#include "walk/walk.h"

typedef struct {
    const char *text;     /* NULL: there is nothing to tell of such a stage */
    const char *told;     /* the address of the cell that it speaks of, or NULL */
    const char *command;  /* runs as printed; NULL: none */
    int head;             /* the head that it speaks of; -1: none */
    const Tensor *tensor; /* that `told` is in; NULL: none */
    int cell;
} Here;

/* Say it on a page. */
void here_say(const Here *here, Page *page);

/* Of a stage of the story's sentence; all in `arena`. */
Here here_of(const Story *story, const Stage *stage, Arena *arena);

/* Of the decoding as a whole. */
Here here_of_decoding(const Story *story, Arena *arena);

/* The rest is for those who tell of a stage: here_attention.c of what is inside of an
 * attention, here_feed_forward.c of units, here_rows.c of rows of features. */
typedef struct {
    const Story *story;
    const Stage *stage; /* NULL: of the decoding */
    Arena *arena;
} Telling;

/* Gives a Here without a text where there is nothing to tell. */
typedef Here Tell(const Telling *asked);

Tell tell_projections, tell_heads, tell_rotated, tell_scores, tell_scaled, tell_masked,
    tell_weights, tell_context, tell_concat, tell_dropped;

Tell tell_embedding, tell_position, tell_input, tell_added, tell_add_norm,
    tell_feed_forward, tell_output_rows, tell_step, tell_logits, tell_probabilities,
    tell_mean;

extern const Here here_nothing;

/* Told of that cell: ":why ADDRESS" looks further. */
Here here_cell(const Telling *asked, const char *text, const Tensor *tensor, int cell);

/* The same of the number of the row from cell `row` on that is farthest from 0. */
Here here_row(const Telling *asked, const char *text, const Tensor *tensor, int row);

/* The tensor of the stage that is called so, "weights", or NULL. */
const Tensor *asked_part(const Telling *asked, const char *name);

/* How many of the tokens along axis `a` belong to the story's sentence: those before
 * its padding. */
int asked_tokens(const Telling *asked, const Tensor *tensor, int a);

/* The first cell of row `token` of [batch, token, features], for the story's sentence;
 * a batch of one row stands for all. */
int asked_row(const Telling *asked, const Tensor *tensor, int token);

/* What token `index` along axis `a` is called in a sentence: without the · of the space
 * in front. In full: with it. */
const char *asked_label(const Telling *asked, const Tensor *tensor, int a, int index);
const char *asked_full_label(const Telling *asked, const Tensor *tensor, int a,
                             int index);

/* Full labels as they are in a sentence: bare, unless two would then be alike. */
void tell_apart(const char **label, int count);

/* Is it <end>, <start> or a full stop: nothing that a sentence is about? */
bool asked_is_mark(const Telling *asked, const Tensor *tensor, int a, int index);

/* Of two rows of numbers, or of one. */
double row_cosine(const Number *a, const Number *b, int size);
double row_length(const Number *a, int size);
double row_mean(const Number *a, int size);
double row_deviation(const Number *a, int size);
