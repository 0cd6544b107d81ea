/* training.h - a whole training run: from a recipe to a model folder. */
#pragma once

#include "learn/recipe.h"
#include "page/page.h"

typedef struct {
    const Recipe *recipe;
    bool resumes;        /* continue after the last save */
    int steps_max;       /* maximum number of steps in total; 0: no limit */
    bool replaces;       /* overwrite an existing model in the folder */
    const char *command; /* the command that repeats the run, or NULL */
    Page *messages;      /* progress, measurements, samples */
} Training;

typedef struct {
    int steps;
    double loss;                 /* of the last step, or NAN */
    double valid_loss, accuracy; /* of the last measurement, or NAN */
    int signal;                  /* the signal that ended it early, or 0 */
} Trained;

/* Train, and write to recipe->output: the model, train.csv, the checkpoint, curves and
 * snapshots. SIGINT, SIGTERM and SIGHUP are caught while it runs (base/interrupt.h): if
 * steps have started, it saves and returns early, and the caller handles the signal. On
 * failure the last save stays. */
bool training_run(const Training *training, Trained *trained, Error *error);

/* Return, in `arena`, the name of file `i` that a run of this recipe writes to its
 * folder, or removes as part of a previous model; NULL after the last. */
const char *training_output(const Recipe *recipe, int i, Arena *arena);
