/* checkpoint.h - one file with everything that a training needs to go on as if nothing
 * had happened.
 *
 * A safetensors file: each weight under its name, Adam's means as "adam.mean.NAME" and
 * "adam.square.NAME"; as notes the step, where in the data it is, what the random
 * numbers follow from, what recipe and data it belongs to, and a CRC-32 for each
 * tensor. It is untrusted input like any file. */
#pragma once

#include "learn/trainer.h"

typedef struct {
    int epoch, batch;   /* the batch that comes next */
    Tally seen;         /* of the epoch, so far */
    const char *recipe; /* what must not change, as text */
    const char *config; /* config.json */
    unsigned data;      /* examples_checksum() */
    int data_seed;      /* orders and dropout follow from it, the epoch and the step */
    double loss; /* of the step, where what follows a step (measuring, a point of the
                    curve, the next epoch) is still to be done; else NAN */
} CheckpointFacts;

/* Write weights, means and facts to `path`, the whole file or nothing. */
bool checkpoint_save(const char *path, const Weights *weights, const Adam *adam,
                     const CheckpointFacts *facts, Error *error);

/* Read them back: the numbers into `weights` and `adam`, the position into `facts`,
 * whose other fields say what is expected. Fails, with nothing changed, when the file
 * is damaged or belongs to another recipe or other data. */
bool checkpoint_read(const char *path, const Weights *weights, Adam *adam,
                     CheckpointFacts *facts, Error *error);
