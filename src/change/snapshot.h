/* snapshot.h - a run at one moment: its numbers, its result and the changes made to it;
 * and the differences between two runs. */
#pragma once

#include "change/answer.h"
#include "explain/alignment.h"
#include "explain/change.h"

typedef struct {
    const char *name;    /* chosen by the user */
    const char *changes; /* "" if there are none */
    const char *sentence, *model;
    const Tensor **tensor; /* without duplicates, in the order of the tape */
    int count;
    Answer answer;
} Snapshot;

/* Take a snapshot of the story's run, in `arena`. SHALLOW shares the run's tensors,
 * which must not change. COPY copies them and all labels except those of the
 * vocabulary; OUTLIVES_MODEL copies these as well. */
typedef enum { SNAPSHOT_SHALLOW, SNAPSHOT_COPY, SNAPSHOT_OUTLIVES_MODEL } SnapshotDepth;
Snapshot snapshot_new(const Story *story, SnapshotDepth depth, Arena *arena);

/* Return a self-contained copy of a tensor. */
const Tensor *snapshot_tensor(const Tensor *tensor, Arena *arena);

/* Two tensors with the same address, and their largest difference where the words of
 * the runs are aligned: see explain/alignment.h. */
typedef struct {
    const Tensor *before, *after;
    double max;     /* largest absolute difference; INFINITY if one is NaN */
    int cell;       /* its cell in `after` */
    double was, is; /* both numbers in this cell */
    bool is_void;   /* nothing is aligned, so nothing was compared */
} Difference;

typedef struct {
    Difference *found; /* in the order of the run */
    int count;
    int shared; /* number of common addresses that could be compared */
    int voids;  /* and of those that could not */
} Differences;

/* Return the tensors that differ, or only the first, in `arena`. If the targets differ,
 * compare only positions before the difference, because later ones follow another word;
 * if nothing differs there, compare all. */
Differences snapshot_differences(const Snapshot *before, const Snapshot *after,
                                 bool first, Arena *arena);

/* Return the alignment of the words of "encoder.ids" or "decoder.ids"; NULL if one run
 * has none. */
const Alignment *snapshot_words(const Snapshot *before, const Snapshot *after,
                                const char *ids, Alignments *alignments);

/* Return the tensor of `before` that corresponds to a tensor of `after`, or NULL. It
 * has the same address, except that an LSTM's address contains the token's position. */
const Tensor *snapshot_partner(const Snapshot *before, const Snapshot *after,
                               const Tensor *tensor, Alignments *alignments);

/* Return the tensor with that address, or NULL. */
const Tensor *snapshot_find(const Snapshot *snapshot, const char *address);

/* A row of attention weights in two runs. */
typedef struct {
    const Tensor *tensor[2];
    int start[2];  /* its first cell in each tensor */
    double change; /* half the sum of |differences|: the weight that moved */
    int skipped;   /* weight tensors without a row that can be compared */
} MovedRow;

/* Return the row of sentence `sentence` that changed most, or one without tensors.
 * Answers may differ in length and words, so only rows and keys that both runs have are
 * compared. */
MovedRow snapshot_moved(const Snapshot *before, const Snapshot *after, int sentence,
                        Arena *arena);
