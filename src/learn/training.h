/* training.h - a whole training: from a recipe to a model folder. */
#pragma once

#include "learn/recipe.h"
#include "page/page.h"

typedef struct {
    const Recipe *recipe;
    bool resumes;        /* continue after the last save */
    int steps_most;      /* maximum number of steps in total; 0: no limit */
    bool replaces;       /* a model that already exists in the folder */
    const char *command; /* the command that repeats it, or NULL */
    Page *messages;      /* progress, measurements, samples */
} Training;

typedef struct {
    int steps;
    double loss;                 /* of the last step, or NAN */
    double valid_loss, accuracy; /* of the last measurement, or NAN */
    int signal;                  /* the signal that ended it early, or 0 */
} Trained;

/* Train, and write into recipe->output: the model, train.csv, the checkpoint, curves
 * and snapshots. SIGINT, SIGTERM and SIGHUP are caught while it runs
 * (base/interrupt.h): if steps have started, it saves and returns early; the caller
 * then handles the signal. On failure the last save stays. */
bool training_run(const Training *training, Trained *trained, Error *error);

/* Return the name of file `i` that a training of this recipe writes into its folder, or
 * removes because it belongs to a previous model, in `arena`; NULL after the last. */
const char *training_output(const Recipe *recipe, int i, Arena *arena);
