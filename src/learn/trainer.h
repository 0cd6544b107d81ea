/* trainer.h - one step of learning: forward, backward, and a step of Adam.
 *
 * A batch is shared by the threads: each runs a tape of its own over its rows, with a
 * network of its own over the same numbers, so that gradients do not meet until they
 * are added, in a fixed order. */
#pragma once

#include "data/batches.h"
#include "learn/adam.h"
#include "learn/loss.h"
#include "learn/schedule.h"

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
    double share;        /* of the batch's tokens */
    Tensor *shared_loss; /* the loss x this share */
    Tally said;          /* of the part */
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
