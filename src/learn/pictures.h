/* pictures.h - the pictures of a training run: measurements, as train.csv and as
 * curves, and snapshots of tensors for one sentence, taken at some steps and drawn side
 * by side. */
#pragma once

#include "data/batches.h"
#include "learn/recipe.h"

/* The measurements at one step. */
typedef struct {
    int step;
    double loss, rate, speed;    /* speed: source and target tokens per second */
    double valid_loss, accuracy; /* NAN if nothing was measured */
    double train_accuracy;       /* of the epoch that ended; else NAN */
} CurvePoint;

typedef struct {
    Arena arena; /* owns the points */
    CurvePoint *point;
    int count, capacity;
} Curve;

void curve_free(Curve *curve);
void curve_add(Curve *curve, CurvePoint point);

/* Write to and read from a CSV file with a header. Reading stops after `last_step`, to
 * ignore what a killed run wrote after its last save. A missing file means no
 * points. */
bool curve_save(const Curve *curve, const char *path, Error *error);
bool curve_read(Curve *curve, const char *path, int last_step, Error *error);

/* The file of snapshots, in the model's folder. Addresses in it start with "step 20.";
 * its notes contain the ids of the sentence as "5,7,2". */
#define SNAPSHOT_FILE "snapshots.safetensors"
#define SNAPSHOT_NAME "step "
#define SNAPSHOT_SOURCE "source_ids"
#define SNAPSHOT_TARGET "target_ids"

/* The numbers of one address at one step. */
typedef struct {
    int address; /* index in the recipe's list */
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
    Tape watched; /* the current run of the model on the sentence */
    Arena labels; /* for its labels */
} Snapshots;

/* Prepare snapshots of the recipe's addresses for example `snapshot_row` of
 * `examples`. */
Snapshots snapshots_new(const Recipe *recipe, const Model *model,
                        const Examples *examples);

/* Keep the current tensors of the addresses, unless this step is already kept. Fails if
 * an address is not in the model. */
bool snapshots_take(Snapshots *snapshots, int step, Error *error);

/* Return the whole current tensor of the first address or, without addresses, the
 * attention of the last layer; valid until the next call. NULL if the model has
 * neither. */
const Tensor *snapshots_watch(Snapshots *snapshots);

/* Write to and read from a safetensors file; snapshots after `last_step` are ignored.
 * If the file does not exist, there are none. */
bool snapshots_save(const Snapshots *snapshots, const char *path, Error *error);
bool snapshots_read(Snapshots *snapshots, const char *path, int last_step,
                    Error *error);

void snapshots_free(Snapshots *snapshots);

/* Return the name of picture `i` of such a run, in `arena`; NULL after the last. */
const char *pictures_name(const Recipe *recipe, int i, Arena *arena);

/* Draw the pictures into the recipe's folder, as it specifies: loss, learning rate and
 * accuracy over the steps, if there are at least two points; and for each address, a
 * row per step for at most SNAPSHOTS_DRAWN steps, or a frame per step in an .apng. Each
 * picture records the recipe, data, preset, seed and command (or NULL) it was made
 * with, and the number of steps. */
enum { SNAPSHOTS_DRAWN = 6 };
bool pictures_draw(const Curve *curve, const Snapshots *snapshots, int steps,
                   const char *command, Error *error);
