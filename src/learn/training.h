/* training.h - a whole training: a recipe in, a folder with a model out. */
#pragma once

#include "learn/recipe.h"
#include "page/page.h"

typedef struct {
    const Recipe *recipe;
    bool resumes;        /* go on where the last save ended */
    int steps_most;      /* that there may be, counted over epochs; 0: any */
    bool replaces;       /* a model that the folder holds already */
    const char *command; /* that does the same again, or NULL */
    Page *messages;      /* progress, measurements, samples */
} Training;

typedef struct {
    int steps;
    double loss;                 /* of the last step, or NAN */
    double valid_loss, accuracy; /* of the last measurement, or NAN */
    int signal;                  /* that ended it early, or 0 */
} Trained;

/* Learn, and write into recipe->output: the model, train.csv, the checkpoint, curves
 * and snapshots. SIGINT, SIGTERM and SIGHUP are noted while it runs (base/interrupt.h):
 * where steps have begun, it saves and is done early; the caller ends what else there
 * is to end. Fails with the last save still in place. */
bool training_run(const Training *training, Trained *trained, Error *error);

/* The name of file `i` that a training of this recipe writes into its folder, or
 * removes because it belongs to the model before, in `arena`; NULL behind the last. */
const char *training_output(const Recipe *recipe, int i, Arena *arena);
