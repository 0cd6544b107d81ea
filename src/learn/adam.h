/* adam.h - optimizers, which turn a gradient into a step: Adam (Kingma and Ba 2015,
 * section 5.3 of the paper), or its predecessor without a mean of the gradient, RMSprop
 * (Hinton 2012).
 *
 * All parameters are in one row, with each tensor starting at a multiple of ADAM_STEP,
 * so a step is one pass over memory that any number of threads can share. */
#pragma once

#include <stddef.h>

#include "store/weights.h"

enum { ADAM_STEP = 16, ADAM_GRADIENTS = 64 };

typedef enum { OPTIMIZER_ADAM, OPTIMIZER_RMSPROP } OptimizerKind;

/* Their names, ending with NULL. */
extern const char *const optimizer_kinds[];

typedef struct {
    double beta_1, beta_2, epsilon; /* RMSprop: beta_2 is its rho, beta_1 is not used */
    double clip;                    /* maximum norm of the gradient; 0: no clipping */
    int kind;                       /* OptimizerKind */
} AdamOptions;

typedef struct {
    AdamOptions options;
    size_t size;                   /* length of each row of numbers */
    Number *value, *mean, *square; /* weights; means of the gradient and its square */
    int step;                      /* number of steps so far */
} Adam;

/* Move the weights into one row and set the means to 0; everything is in the arena of
 * the weights. */
Adam adam_new(Weights *weights, const AdamOptions *options);

/* Allocate gradients for `weights`, possibly a second list over the same numbers: a row
 * in `arena`, into which each tensor's grad points. Returns the row. */
Number *adam_gradient(const Adam *adam, Weights *weights, Arena *arena);

/* Take one step with learning rate `rate` along the sum of `count` rows, added in that
 * order. `*norm` becomes the norm of that gradient. If it is not finite, returns false,
 * and changes nothing if clip is set. */
bool adam_step(Adam *adam, double rate, Number *const *gradient, int count,
               double *norm);

/* Return the offset in the row of tensor `w` of the list. */
size_t adam_offset(const Weights *weights, int w);

/* How the learning rate changes over the steps. */
typedef enum { SCHEDULE_PAPER, SCHEDULE_CONSTANT, SCHEDULE_COSINE } ScheduleKind;

/* Their names, ending with NULL. */
extern const char *const schedule_kinds[];

typedef struct {
    int kind; /* ScheduleKind */
    int d_model;
    int warmup;    /* steps in which the rate increases; not for `constant` */
    double factor; /* paper: factor of the rate */
    double rate;   /* constant: the rate; cosine: the highest rate */
    int steps;     /* cosine: the step where the rate reaches 0 */
} Schedule;

/* Return the learning rate of step `number`, counted from 1. paper: factor d_model^-0.5
 * min(step^-0.5, step warmup^-1.5), section 5.3. cosine: rate step / warmup, then half
 * a cosine down to 0. */
double schedule_rate(const Schedule *schedule, int number);
