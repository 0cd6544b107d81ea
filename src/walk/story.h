/* story.h - a run to present to the user, and the user's display settings. */
#pragma once

#include "explain/record.h"
#include "explain/shown_tokens.h"
#include "model/generate.h"
#include "model/model.h"
#include "page/page.h"

typedef struct {
    Record record;
    const Model *model;
    const Generated *generated; /* result of the decoding */
    int row;                    /* which sentence of the batch is shown */
    int digits;                 /* after the decimal point */
    int columns;                /* maximum, of a table */
    ShownTokens shown;          /* of a long sentence */
    int candidates;             /* of each decoding step */
    const char *followed; /* "[head=2, query=나는]": chosen with :follow, or NULL; see
                             followed.h */
    const Palette *palette; /* of heatmaps; NULL: the default of each figure */
} Story;

/* Return the tensor `part` ("probabilities") of step `step`, or NULL. */
const Tensor *decoded_part(const Story *story, int step, const char *part,
                           Arena *arena);

/* Return the cell of the chosen token in the step's probabilities. It is in the last
 * row; earlier rows belong to earlier steps. */
int decoded_cell(const Story *story, int step, const Tensor *probabilities);

/* Return the probability of the token that step `step` chose; 0 if none is recorded. */
double decoded_share(const Story *story, int step, Arena *arena);

/* Return how many tokens a model without an encoder added to its prompt and read: all
 * that it chose but the last. */
int story_added(const Story *story);

/* Return the positions of the masked tokens in sentence `row` of a run, in `arena`, and
 * set `*count`. */
int *hidden_places(const Tape *run, const Config *config, int row, Arena *arena,
                   int *count);

/* Write the indices of the largest `max` of `count` numbers to `best`, largest first;
 * of equal numbers, the lower index comes first. Write at most `count` indices. */
void ranking_best(const Number *number, int count, int *best, int max);

/* Add the best `max` of row `row` of logits or probabilities to the page, best first.
 * Logits have `digits` digits after the decimal point. */
void ranking_say(const Tensor *tensor, int row, int max, int digits, Page *page);

/* At most `max` positions: those around `around` or, if that is -1, the last ones. */
typedef struct {
    int around;
    int max; /* 0: all */
} Places;

/* Add the ranking of the story's sentence: one for a classifier, or the best few at
 * each position. If tokens are masked, show only those positions. */
void ranking_say_places(const Story *story, const Tensor *tensor, Places shown,
                        int digits, Page *page);

/* Return the part of a tensor that a stage shows: the current sentence, one head. */
Slice story_slice(const Story *story, const Tensor *tensor, int head, Arena *arena);

/* Return true if an operation that read or computed the tensor uses the mean and
 * deviation of its rows. */
bool story_is_centred(const Story *story, const Tensor *tensor);

/* Add a slice as numbers, without omitting any. */
void story_numbers(const Story *story, const Slice *slice, Page *page);

/* Add slices as a heatmap or a grid. They must live as long as the page. */
void story_figure(const Story *story, const Slice *slices, int count, Page *page);
