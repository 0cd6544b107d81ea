/* trainer.h - the loss of a model, and one training step: forward, backward, and a step
 * of Adam.
 *
 * A batch is split over the threads: each has a tape for its rows and a network over
 * the same numbers, so gradients are separate until they are added, in a fixed
 * order. */
#pragma once

#include "data/batches.h"
#include "learn/adam.h"
#include "model/model.h"

/* Put the labels on the tape as "wanted" (one per sentence for a classifier), and
 * compute "loss" [1]: cross-entropy, or binary cross-entropy for a sigmoid, averaged
 * over the labels without padding. `smoothing`: section 5.4. */
Tensor *loss_run(Tape *tape, const Config *config, Tensor *logits, const Ids *expected,
                 double smoothing);

/* Return one row of logits, one for each of the `count` words or labels. A single logit
 * is for the second of two labels: fill `pair` with 0 for the first, and the logit;
 * their softmax is the sigmoid of the logit. */
typedef Number LogitPair[2];
const Number *loss_row(const Tensor *logits, int row, LogitPair pair, int *count);

/* Return the prediction: the index of the largest logit, the first if equal. */
int loss_said(const Number *logit, int count);

/* Count the rows, without padding, that predict their label. `loss`: the step that
 * computed the result of loss_run(). */
long long loss_right(const Config *config, const Step *loss);

/* How many tokens (or labels) were predicted, and how many correctly. */
typedef struct {
    long long right, all;
} Tally;
void tally_add(Tally *tally, const Tally *more);
double tally_share(const Tally *tally); /* NAN if there are none */

typedef struct {
    AdamOptions adam;
    Schedule schedule;
    double smoothing;        /* of the loss */
    unsigned long long seed; /* of dropout */
} TrainerOptions;

/* A network over the numbers of the model, with separate gradients. */
typedef struct {
    Model model;
    Tape tape;
    Number *gradient;
    BatchPart part;
    Tensor *loss;
    double share; /* fraction of the batch's tokens */
    Tally said;   /* in this part */
} Replica;

typedef struct {
    Model *model;
    TrainerOptions options;
    Adam adam;
    Replica *replica; /* one for each thread */
    int replicas;
    Arena arena;
} Trainer;

/* The results of a step. */
typedef struct {
    double loss; /* mean over the batch's tokens that are not padding */
    double rate, norm;
    Tally said; /* with dropout, before the step */
} Learned;

/* Return a trainer. `model` owns the numbers; it must outlive the trainer and must not
 * move its arena. */
Trainer trainer_new(Model *model, const TrainerOptions *options);

/* Train on one batch. Fails if the model cannot run on it; if a signal interrupts it,
 * leaving the weights unchanged; or if a number is NaN or infinite, naming the first
 * tensor that contains one. */
bool trainer_step(Trainer *trainer, const Batches *batches, int batch, Learned *learned,
                  Error *error);

/* Loss and fraction of tokens (or labels) predicted correctly, over all batches,
 * without dropout and smoothing. */
typedef struct {
    double loss, accuracy;
    long long tokens;
} Measured;
bool trainer_measure(Trainer *trainer, const Batches *batches, Measured *measured,
                     Error *error);

void trainer_free(Trainer *trainer);
