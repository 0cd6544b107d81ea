/* alignment.h - which indices of two runs correspond to each other.
 *
 * Two sentences seldom have the same word at the same index: 부산 is one token, 서울
 * two. So token axes are aligned by words, with the longest common subsequence; a word
 * that occurs in only one run has no partner. Words are compared as a whole, so pieces
 * of different words are never partners. All other axes are aligned by index. */
#pragma once

#include "tensor/tensor.h"

/* Return true if token `index` of the axis continues the word of the previous token.
 * Punctuation and tokens such as <end> are separate. */
bool token_continues(const Axis *axis, int row, int index);

/* An index in each run; one is NOWHERE if the other has no partner. */
typedef struct {
    int before, after;
} Partners;

typedef struct {
    const Partners *pair; /* each index once, in the order of both runs */
    int count;
    int alone;    /* number of indices without a partner */
    bool is_void; /* no common word; for other axes, no common size or labels */
} Alignment;

/* Cache of alignments, since many tensors share their labels. */
typedef struct {
    Arena *arena;
    int row_before, row_after; /* of labels: the sentence in each run's batch */
    struct KnownAlignment *known;
    int count, capacity;
} Alignments;

/* Return the alignment of an axis in both runs. It lives as long as the arena. */
const Alignment *alignment_of(Alignments *alignments, const Axis *before,
                              const Axis *after);

/* Align all axes of two tensors. Return false if their axes or sizes differ. */
bool alignment_tensors(Alignments *alignments, const Tensor *before,
                       const Tensor *after, const Alignment *along[RANK_MAX]);

/* Return the cells of two tensors at the `at`-th pair along each of the first `axes`
 * axes, and index 0 of the other axes. Return false if one has no partner. */
bool alignment_cells(const Alignment *const *along, int axes, const int *at,
                     const Tensor *const tensor[2], int cell[2]);

/* Advance to the next pair along the first `axes` axes; false after the last one. */
bool alignment_next(const Alignment *const *along, int axes, int *at);
