/* trainer.h - how wrong a model is, and one step of learning: forward, backward, and a
 * step of Adam.
 *
 * A batch is shared by the threads: each runs a tape of its own over its rows, with a
 * network of its own over the same numbers, so that gradients do not meet until they
 * are added, in a fixed order. */
#pragma once

#include "data/batches.h"
#include "learn/adam.h"
#include "model/model.h"

/* The wanted ids as "wanted", of a classifier one label a sentence; and "loss" [1], the
 * mean over them (padding aside): cross-entropy, or of a sigmoid the binary one.
 * `smoothing`: section 5.4. */
Tensor *loss_run(Tape *tape, const Config *config, Tensor *logits, const Ids *wanted,
                 double smoothing);

/* One row of logits as a number for each word or label, `count` of them. A lone logit,
 * which speaks for the second of two labels, is in `pair` beside a 0 for the first:
 * softmax of these is the sigmoid of that. */
typedef Number LogitPair[2];
const Number *loss_row(const Tensor *logits, int row, LogitPair pair, int *count);

/* The place of the largest; of equals the first. What the model says. */
int loss_said(const Number *logit, int count);

/* In how many rows the model says what is wanted, padding aside. `loss`: the step that
 * made what loss_run() returned. */
long long loss_right(const Config *config, const Step *loss);

/* How many tokens (or labels) were said, and how many of them rightly. */
typedef struct {
    long long right, all;
} Tally;
void tally_add(Tally *tally, const Tally *more);
double tally_share(const Tally *tally); /* of none NAN */

typedef struct {
    AdamOptions adam;
    Schedule schedule;
    double smoothing;        /* of the loss */
    unsigned long long seed; /* of dropout */
} TrainerOptions;

/* A network over the numbers of the model, with gradients of its own. */
typedef struct {
    Model model;
    Tape tape;
    Number *gradient;
    BatchPart part;
    Tensor *loss;
    double share; /* of the batch's tokens */
    Tally said;   /* of the part */
} Replica;

typedef struct {
    Model *model;
    TrainerOptions options;
    Adam adam;
    Replica *replica; /* one for each thread */
    int replicas;
    Arena arena;
} Trainer;

/* What a step found. */
typedef struct {
    double loss; /* mean over the batch's tokens that are not padding */
    double rate, norm;
    Tally said; /* with dropout, before the step */
} Learned;

/* `model` keeps the numbers and must outlive the trainer; so does its arena. */
Trainer trainer_new(Model *model, const TrainerOptions *options);

/* Learn from one batch. Fails when the model cannot run on it, when a signal stops it
 * (the weights are then as they were), or, naming the first tensor that has one, when a
 * number is NaN or infinite. */
bool trainer_step(Trainer *trainer, const Batches *batches, int batch, Learned *learned,
                  Error *error);

/* Loss and share of tokens (or labels) said rightly, over all batches; without dropout
 * and smoothing. */
typedef struct {
    double loss, accuracy;
    long long tokens;
} Measured;
bool trainer_measure(Trainer *trainer, const Batches *batches, Measured *measured,
                     Error *error);

void trainer_free(Trainer *trainer);
