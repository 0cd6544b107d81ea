/* snapshot.h - a run as it was at one moment: its numbers, what came of it, and what
 * was changed in it; and where two of them differ. */
#pragma once

#include "change/answer.h"
#include "explain/alignment.h"
#include "explain/change.h"

typedef struct {
    const char *name;    /* that a person gave it */
    const char *changes; /* "" without any */
    const char *sentence, *model;
    const Tensor **tensor; /* each once, in the order of the tape */
    int count;
    Outcome outcome;
} Snapshot;

/* The story's run, in `arena`. Shallow: its tensors are those of the run itself, which
 * stays as it is; otherwise they are copied, and with them labels of all axes save
 * those of the model's words, or, where `outlives_model`, these as well. */
typedef enum { SNAPSHOT_SHALLOW, SNAPSHOT_COPY, SNAPSHOT_OUTLIVES_MODEL } SnapshotDepth;
Snapshot snapshot_new(const Story *story, SnapshotDepth depth, Arena *arena);

/* A copy of a tensor that needs nothing else to live on. */
const Tensor *snapshot_tensor(const Tensor *tensor, Arena *arena);

/* Two tensors of one address, and by how much they differ at most where the words of
 * both runs belong together: see explain/alignment.h. */
typedef struct {
    const Tensor *before, *after;
    double most; /* the largest absolute difference; INFINITY where one is no number */
    int cell;    /* of `after`, where that is */
    double was, is; /* the two numbers there */
    bool is_void;   /* nothing of them belongs together, so nothing was compared */
} Difference;

typedef struct {
    Difference *found; /* in the order of the run */
    int count;
    int shared; /* addresses that both have and that could be compared */
    int voids;  /* and those that could not */
} Differences;

/* The tensors that differ, or only the first of them. Where the targets differ, only
 * places up to there are compared, since behind it everything follows from another
 * word; all places where nothing differs before. In `arena`. */
Differences snapshot_differences(const Snapshot *before, const Snapshot *after,
                                 bool first, Arena *arena);

/* How the words of "encoder.ids" or "decoder.ids" belong together; NULL where one of
 * the runs has none. */
const Alignment *snapshot_words(const Snapshot *before, const Snapshot *after,
                                const char *ids, Alignments *alignments);

/* What the run before has in the place of a tensor of the run after, or NULL: under the
 * same address, but an LSTM counts the tokens that it reads in them. */
const Tensor *snapshot_partner(const Snapshot *before, const Snapshot *after,
                               const Tensor *tensor, Alignments *alignments);

/* The tensor of that address, or NULL. */
const Tensor *snapshot_find(const Snapshot *snapshot, const char *address);
