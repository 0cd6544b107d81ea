/* adam.h - how a gradient becomes a step: Adam of Kingma and Ba 2015, section 5.3 of
 * the paper; or RMSprop of Hinton 2012, which Adam grew from and which keeps no mean.
 *
 * All numbers that are learned lie in one row, each tensor beginning at a multiple of
 * ADAM_STEP, so that a step is one pass over memory that any number of threads can
 * share. */
#pragma once

#include <stddef.h>

#include "store/weights.h"

enum { ADAM_STEP = 16, ADAM_GRADIENTS = 64 };

typedef enum { OPTIMIZER_ADAM, OPTIMIZER_RMSPROP } OptimizerKind;

/* Their names, ending with NULL. */
extern const char *const optimizer_kinds[];

typedef struct {
    double beta_1, beta_2, epsilon; /* RMSprop: beta_2 is its rho, beta_1 not read */
    double clip; /* the longest gradient (its norm); 0: as long as it is */
    int kind;    /* OptimizerKind */
} AdamOptions;

typedef struct {
    AdamOptions options;
    size_t size;                   /* of each row of numbers */
    Number *value, *mean, *square; /* weights; means of the gradient and its square */
    int step;                      /* how many were done */
} Adam;

/* Move the weights into one row and begin with means of 0; all of it lives in the arena
 * of the weights. */
Adam adam_new(Weights *weights, const AdamOptions *options);

/* Gradients for `weights`, which may be a second list over the same numbers: a row in
 * `arena`, to which each tensor's grad points. Returns the row. */
Number *adam_gradient(const Adam *adam, Weights *weights, Arena *arena);

/* One step of learning rate `rate` along the sum of `count` rows, added in that order.
 * `*norm` becomes the length of that gradient. False, with nothing changed where clip
 * is set, if it is not finite. */
bool adam_step(Adam *adam, double rate, Number *const *gradient, int count,
               double *norm);

/* The row's part that belongs to tensor `w` of the list. */
size_t adam_offset(const Weights *weights, int w);

/* How large the steps are. */
typedef enum { SCHEDULE_PAPER, SCHEDULE_CONSTANT, SCHEDULE_COSINE } ScheduleKind;

/* Their names, ending with NULL. */
extern const char *const schedule_kinds[];

typedef struct {
    int kind; /* ScheduleKind */
    int d_model;
    int warmup;    /* steps in which the rate grows; not of `constant` */
    double factor; /* paper: what its rate is multiplied with */
    double rate;   /* constant: the rate; cosine: the highest one */
    int steps;     /* cosine: where the rate arrives at 0 */
} Schedule;

/* The learning rate of step `number`, counted from 1. paper: factor d_model^-0.5
 * min(step^-0.5, step warmup^-1.5), section 5.3. cosine: rate step / warmup, then half
 * a cosine down to 0. */
double schedule_rate(const Schedule *schedule, int number);
