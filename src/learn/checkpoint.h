/* checkpoint.h - one file with everything that a training needs to continue exactly
 * where it stopped.
 *
 * A safetensors file: each weight under its name, Adam's means as "adam.mean.NAME" and
 * "adam.square.NAME"; as notes the step, the position in the data, the seed, the recipe
 * and data it belongs to, and a CRC-32 for each tensor. Like any file, it is untrusted
 * input. */
#pragma once

#include "learn/trainer.h"

typedef struct {
    int epoch, batch;   /* the next batch */
    Tally seen;         /* in the current epoch */
    const char *recipe; /* the settings that cannot change, as text */
    const char *config; /* config.json */
    unsigned data;      /* examples_checksum() */
    int data_seed;      /* seed of order and dropout, together with epoch and step */
    double loss; /* of the step, if the work after the step (measuring, a point of the
                    curve, the next epoch) is still to be done; else NAN */
} CheckpointFacts;

/* Write weights, means and facts to `path`, either the whole file or nothing. */
bool checkpoint_save(const char *path, const Weights *weights, const Adam *adam,
                     const CheckpointFacts *facts, Error *error);

/* Read them back: the numbers into `weights` and `adam`, the position into `facts`,
 * whose other fields contain the expected values. Fails, without changes, if the file
 * is damaged or belongs to another recipe or other data. */
bool checkpoint_read(const char *path, const Weights *weights, Adam *adam,
                     CheckpointFacts *facts, Error *error);
