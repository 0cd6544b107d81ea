/* snapshot.h - how a tensor changes while a model learns: its numbers on one sentence,
 * kept at some steps and drawn side by side. */
#pragma once

#include "canvas/fact.h"
#include "data/batches.h"
#include "learn/recipe.h"
#include "learn/snapshot_file.h"

/* The numbers of one address at one step. */
typedef struct {
    int address; /* of the recipe's list */
    int step;
    Tensor *tensor; /* its name is "step N.ADDRESS" */
} Snapshot;

typedef struct {
    Arena arena; /* owns the tensors */
    const Recipe *recipe;
    const Model *model;
    const Example *example;
    Snapshot *snapshot;
    int count, capacity;
    Tape watched; /* the sentence, as the model reads it now */
    Arena labels; /* of it */
} Snapshots;

/* Of the addresses in the recipe, on example `snapshot_row` of `examples`. */
Snapshots snapshots_new(const Recipe *recipe, const Model *model,
                        const Examples *examples);

/* Keep what lies at the addresses now, unless this step was kept already. Fails when an
 * address is not the model's. */
bool snapshots_take(Snapshots *snapshots, int step, Error *error);

/* The first of the addresses as it stands now, whole, or without any the attention of
 * the last layer; it holds until the next call. NULL where the model has neither. */
const Tensor *snapshots_watch(Snapshots *snapshots);

/* To and from a safetensors file; what was taken after `last_step` is left out, and a
 * file that is not there has none. */
bool snapshots_save(const Snapshots *snapshots, const char *path, Error *error);
bool snapshots_read(Snapshots *snapshots, const char *path, int last_step,
                    Error *error);

/* What the figure of address `a` is called, in `arena`. */
const char *snapshots_picture(const Recipe *recipe, int a, const char *ending,
                              Arena *arena);

/* One figure for each address, called so, in `folder`: a row for each of at most
 * SNAPSHOTS_DRAWN steps, or in an .apng a frame for each. It says the facts, and which
 * sentence is seen. */
enum { SNAPSHOTS_DRAWN = 6 };
bool snapshots_draw(const Snapshots *snapshots, const char *folder, const char *ending,
                    const Facts *facts, Error *error);

void snapshots_free(Snapshots *snapshots);
