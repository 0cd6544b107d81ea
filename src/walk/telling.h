/* telling.h - what those who tell of a stage have in common: which numbers they look
 * at, and how rows of them are compared. */
#pragma once

#include "walk/story.h"
#include "walk/walk.h"

/* What stands out in a stage. */
typedef struct {
    const char *text;    /* NULL: there is nothing to tell of such a stage */
    const char *told;    /* the address of the cell that it speaks of, or NULL */
    const char *command; /* runs as printed; NULL: none */
    int head;            /* the head that it speaks of; -1: none */
} Here;

/* The stage that is told of. */
typedef struct {
    const Story *story;
    const Stage *stage;
    Arena *arena;
} Telling;

typedef Here Tell(const Telling *asked);

/* here_ends.c: words and places, what a stack makes of them, and the guesses */
Tell tell_embedding, tell_position, tell_input, tell_output_rows, tell_logits,
    tell_probabilities, tell_mean;

/* here_attention.c */
Tell tell_projections, tell_scores, tell_scaled, tell_masked, tell_weights,
    tell_context, tell_concat, tell_dropped;

/* here_layer.c: what else a layer or an LSTM has */
Tell tell_added, tell_add_norm, tell_feed_forward, tell_step;

/* The tensor of the stage that is called so, "weights", or NULL. */
const Tensor *asked_part(const Telling *asked, const char *name);

/* The tensor that is beside it, with that last name: beside
 * "encoder.0.self_attention.weights" the "scores"; or NULL. */
const Tensor *asked_beside(const Telling *asked, const Tensor *tensor,
                           const char *name);

/* The step that made the tensor, or NULL. */
const Step *asked_step(const Telling *asked, const Tensor *tensor);

/* How many of the tokens along axis `a` belong to the story's sentence: those before
 * its padding. */
int asked_tokens(const Telling *asked, const Tensor *tensor, int a);

/* Where a number is NaN or infinite nothing stands out: that it is so. */
Here here_broken(const Telling *asked, const Tensor *tensor, int cell);

/* What token `index` along axis `a` is called in a sentence: without the · of the space
 * in front. */
const char *asked_label(const Telling *asked, const Tensor *tensor, int a, int index);

/* The same of any label. */
const char *bare_label(const char *label);

/* As it stands, with the ·. */
const char *asked_full_label(const Telling *asked, const Tensor *tensor, int a,
                             int index);

/* Full labels as they are in a sentence: bare, unless two would then be alike. */
void tell_apart(const char **label, int count);

/* Is it <end>, <start> or a full stop: nothing that a sentence is about? */
bool asked_is_mark(const Telling *asked, const Tensor *tensor, int a, int index);

/* The same of any label. */
bool is_mark(const char *label);

/* The first cell of row `token` of [batch, token, features], for the story's sentence;
 * a batch of one row stands for all. */
int asked_row(const Telling *asked, const Tensor *tensor, int token);

/* Nothing to tell. */
Here here_nothing(void);

/* Told of that cell: ":why ADDRESS" looks further. */
Here here_cell(const Telling *asked, const char *text, const Tensor *tensor, int cell);

/* Of two rows of numbers, or of one. */
double row_cosine(const Number *a, const Number *b, int size);
double row_length(const Number *a, int size);
double row_mean(const Number *a, int size);
double row_deviation(const Number *a, int size);
int row_largest(const Number *a, int size); /* by absolute value */
