/* story.h - a run that is told to a person, and how the person wants to see it. */
#pragma once

#include "explain/record.h"
#include "explain/shown_tokens.h"
#include "model/generate.h"
#include "model/model.h"
#include "page/page.h"

typedef struct {
    Record record;
    const Model *model;
    const Generated *generated; /* what came of the decoding */
    int row;                    /* the sentence of the batch that is shown */
    int digits;                 /* behind the point */
    int columns;                /* of a table, at most */
    ShownTokens shown;          /* of a long sentence */
    int candidates;             /* of each step of the decoding */
    const char *followed;       /* "[head=2, query=나는]": chosen to be followed, or
                                   NULL: see followed.h */
    const Palette *palette;     /* of heatmaps; NULL: each figure's own */
} Story;

/* What step `step` recorded as `part` ("probabilities"), or NULL. */
const Tensor *decoded_part(const Story *story, int step, const char *part,
                           Arena *arena);

/* Where in the step's probabilities that of the token it chose stands: in the last row,
 * since those before it were asked in the steps before. */
int decoded_cell(const Story *story, int step, const Tensor *probabilities);

/* The probability of the token that step `step` chose; 0 where none are recorded. */
double decoded_share(const Story *story, int step, Arena *arena);

/* The tokens of the sentence `row` of a run that stand for hidden words, in `arena`;
 * `*count` of them. */
int *hidden_places(const Tape *run, const Config *config, int row, Arena *arena,
                   int *count);

/* The indices of the largest `most` numbers of `count` into `best`, largest first; the
 * lower index of equals. Where there are fewer, only so many are written. */
void ranking_best(const Number *number, int count, int *best, int most);

/* Say the best `most` of row `row` of logits or probabilities, the best first.
 * `digits` of logits behind the point. */
void ranking_say(const Tensor *tensor, int row, int most, int digits, Page *page);

/* At most so many places: the last ones, or those around one of them; -1: of none. */
typedef struct {
    int around;
    int most; /* 0: all */
} Places;

/* For the story's sentence the same of a classifier, or the best few at each place; of
 * masked words where they are hidden, if any are. */
void ranking_say_places(const Story *story, const Tensor *tensor, Places shown,
                        int digits, Page *page);

/* The part of a tensor that a stage shows: the current sentence, one head. */
Slice story_slice(const Story *story, const Tensor *tensor, int head, Arena *arena);

/* Are mean and deviation of its rows what an operation is about that read or made it?
 */
bool story_is_centred(const Story *story, const Tensor *tensor);

/* A slice as numbers, all of them. */
void story_numbers(const Story *story, const Slice *slice, Page *page);

/* Slices as one heatmap or a grid of them. The slices must live as long as the page. */
void story_figure(const Story *story, const Slice *slices, int count, Page *page);
