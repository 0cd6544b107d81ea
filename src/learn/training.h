/* training.h - a whole training: a recipe in, a folder with a model out. */
#pragma once

#include <signal.h>

#include "learn/recipe.h"
#include "view/page.h"

typedef struct {
    const Recipe *recipe;
    bool resumes;        /* go on where the last save ended */
    int steps_most;      /* that there may be, counted over epochs; 0: any */
    bool replaces;       /* a model that the folder holds already */
    const char *command; /* that does the same again, or NULL */
    Page *messages;      /* progress, measurements, samples */
    const volatile sig_atomic_t *stop; /* becomes a signal's number: finish and save */
    void (*ready)(void); /* called when all is read and steps begin: before that there
                            is nothing to save, so a signal just ends it; may be NULL */
} Training;

typedef struct {
    int steps;
    double loss;                 /* of the last step, or NAN */
    double valid_loss, accuracy; /* of the last measurement, or NAN */
    int signal;                  /* that ended it early, or 0 */
} Trained;

/* Learn, and write into recipe->output: the model, train.csv, the checkpoint, curves
 * and snapshots. Fails with the last save still in place. */
bool training_run(const Training *training, Trained *trained, Error *error);
