/* checkpoint.h - one file with everything that a training run needs to continue exactly
 * where it stopped.
 *
 * It is a safetensors file: each weight under its name, and Adam's means as
 * "adam.mean.NAME" and "adam.square.NAME". Its notes are the step, the position in the
 * data, the seed, the recipe and data it belongs to, and a CRC-32 for each tensor. Like
 * any file, it is untrusted input. */
#pragma once

#include "learn/trainer.h"

typedef struct {
    int epoch, batch;   /* the next batch */
    Tally seen;         /* in the current epoch */
    const char *recipe; /* the settings that cannot change, as text */
    const char *config; /* config.json */
    unsigned data;      /* examples_checksum() */
    int data_seed;      /* with epoch and step, seeds data order and dropout */
    double loss; /* of the step, if the work after the step (measuring, a point of the
                    curve, the next epoch) still has to be done; else NAN */
} CheckpointFacts;

/* Write weights, means and facts to `path`: the whole file or nothing. */
bool checkpoint_save(const char *path, const Weights *weights, const Adam *adam,
                     const CheckpointFacts *facts, Error *error);

/* Read them back: the numbers into `weights` and `adam`, and the position into `facts`,
 * whose other fields contain the expected values. Fails without changing anything if
 * the file is damaged or belongs to another recipe or other data. */
bool checkpoint_read(const char *path, const Weights *weights, Adam *adam,
                     CheckpointFacts *facts, Error *error);
