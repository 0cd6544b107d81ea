/* pictures.h - what a training leaves to look at: what it measured along the way, as
 * train.csv and as curves, and how tensors changed on one sentence, kept at some steps
 * and drawn side by side. */
#pragma once

#include "data/batches.h"
#include "learn/recipe.h"

/* What was measured along the way. */
typedef struct {
    int step;
    double loss, rate, speed;    /* speed: source and target tokens a second */
    double valid_loss, accuracy; /* NAN where nothing was measured */
    double train_accuracy;       /* of the epoch that ended; else NAN */
} CurvePoint;

typedef struct {
    Arena arena; /* owns the points */
    CurvePoint *point;
    int count, capacity;
} Curve;

void curve_free(Curve *curve);
void curve_add(Curve *curve, CurvePoint point);

/* To and from a CSV file with a header. Reading stops behind `last_step`, so that what
 * a killed training wrote after its last save is left out; a file that is not there has
 * no points. */
bool curve_save(const Curve *curve, const char *path, Error *error);
bool curve_read(Curve *curve, const char *path, int last_step, Error *error);

/* The file of snapshots lies in the folder of the model; in front of an address stands
 * "step 20."; its notes hold the ids of the sentence, as "5,7,2". */
#define SNAPSHOT_FILE "snapshots.safetensors"
#define SNAPSHOT_NAME "step "
#define SNAPSHOT_SOURCE "source_ids"
#define SNAPSHOT_TARGET "target_ids"

/* The numbers of one address at one step. */
typedef struct {
    int address; /* of the recipe's list */
    int step;
    Tensor *tensor; /* its name is "step N.ADDRESS" */
} TensorSnapshot;

typedef struct {
    Arena arena; /* owns the tensors */
    const Recipe *recipe;
    const Model *model;
    const Example *example;
    TensorSnapshot *snapshot;
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

void snapshots_free(Snapshots *snapshots);

/* The name of picture `i` of such a training, in `arena`; NULL behind the last. */
const char *pictures_name(const Recipe *recipe, int i, Arena *arena);

/* Draw them into the folder of the recipe, as it asks for: loss, learning rate and
 * accuracy against the steps, where there are two points; and of each address a row for
 * each of at most SNAPSHOTS_DRAWN steps, or in an .apng a frame for each. Each says
 * which recipe, data, preset, seed and command (or NULL) it comes from, and after how
 * many steps. */
enum { SNAPSHOTS_DRAWN = 6 };
bool pictures_draw(const Curve *curve, const Snapshots *snapshots, int steps,
                   const char *command, Error *error);
