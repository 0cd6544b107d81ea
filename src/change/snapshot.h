/* snapshot.h - a run as it was at one moment: its numbers, what came of it, and what
 * was changed in it; and where two of them differ. */
#pragma once

#include "change/answer.h"
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

/* Two tensors of one address, and by how much they differ at most. */
typedef struct {
    const Tensor *before, *after;
    double most; /* the largest absolute difference; INFINITY where one is no number */
    int cell;    /* of `after`, where that is */
    double was, is; /* the two numbers there */
    bool resized;   /* the shapes differ: what both have was compared */
} Difference;

/* The tensors that differ, in the order of the run, `*count` of them; `*shared` becomes
 * how many addresses both have. Where the targets differ, only places up to there are
 * compared, since behind it everything follows from another word; all places where
 * nothing differs before. In `arena`. */
Difference *snapshot_differences(const Snapshot *before, const Snapshot *after,
                                 Arena *arena, int *count, int *shared);

/* The first of them; `after` is NULL where nothing differs. */
Difference snapshot_first(const Snapshot *before, const Snapshot *after);

/* The tensor of that address, or NULL. */
const Tensor *snapshot_find(const Snapshot *snapshot, const char *address);

/* after − before, cell by cell, as far as they go together; in `arena`. */
Tensor *snapshot_subtract(const Tensor *before, const Tensor *after, Arena *arena);
