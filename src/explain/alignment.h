/* alignment.h - which indices of two runs belong together.
 *
 * Two sentences seldom have the same word at the same index: 부산 is one token, 서울
 * two. So axes of tokens are aligned by words, by the longest common subsequence of
 * both; a word that only one of them has gets no partner. A word is all of its tokens:
 * pieces of different words are never partners. All other axes are aligned by index. */
#pragma once

#include "tensor/tensor.h"

/* Does token `index` of the axis go on the word of the token before it? Marks and
 * tokens such as <end> stand alone. */
bool token_continues(const Axis *axis, int row, int index);

/* An index in each run; NOWHERE in one of them: it has no partner there. */
typedef struct {
    int before, after;
} Partners;

typedef struct {
    const Partners *pair; /* in the order of both runs, every index of each once */
    int count;
    int alone;    /* how many indices have no partner */
    bool is_void; /* the two have no word in common; other axes: no size, no labels */
} Alignment;

/* The alignments that were found, since many tensors share their labels. */
typedef struct {
    Arena *arena;
    int row_before, row_after; /* whose labels: the sentence in the batch of each run */
    struct KnownAlignment *known;
    int count, capacity;
} Alignments;

/* Of an axis in both runs; it lives as long as the arena. */
const Alignment *alignment_of(Alignments *alignments, const Axis *before,
                              const Axis *after);

/* Of all axes of two tensors. False where these are not the same ones, or are of other
 * sizes. */
bool alignment_tensors(Alignments *alignments, const Tensor *before,
                       const Tensor *after, const Alignment *along[RANK_MAX]);

/* The cells of two tensors at the `at`-th pair along each of the first `axes` axes (of
 * those behind them the first cells); false where one has no partner. */
bool alignment_cells(const Alignment *const *along, int axes, const int *at,
                     const Tensor *const tensor[2], int cell[2]);

/* Go to the next pair along the first `axes` axes; false after the last one. */
bool alignment_next(const Alignment *const *along, int axes, int *at);
