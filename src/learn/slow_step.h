/* slow_step.h - one training step, kept for examination: the sentence from its tokens
 * to the loss, every gradient, and Adam's update. It computes the same as a trainer's
 * step, on a batch that was typed. */
#pragma once

#include "learn/adam.h"
#include "model/model.h"

typedef struct {
    double rate, smoothing;
    bool dropout_on; /* use dropout, with the same mask before and after the step */
    unsigned long long seed;
} SlowOptions;

typedef struct {
    Model model; /* a twin with the numbers before the step, and their gradients */
    Tape tape;   /* of the twin, from the tokens to the loss */
    Adam adam;   /* after the step; its values are those of the twin */
    SlowOptions options;
    Number *gradient;
    Number *after, *mean, *square; /* weights after the step; Adam's means before it */
    Tensor *logits, *loss;
    double loss_after, norm;
    Arena arena;
} SlowStep;

/* What the model reads and what it should predict. */
typedef struct {
    Ids source, target, expected;
} SlowTask;

/* Initialize. `model` must outlive the step. Adam uses the paper's settings: 0.9, 0.98,
 * 1e-9. */
void slow_step_begin(SlowStep *step, const Model *model, bool dropout_on);

/* Do one training step on the task with the model's current numbers, which do not
 * change: the new ones are in `after`. The task is copied, including labels. The next
 * call continues with Adam's means. Fails, without changing Adam, if a number is not
 * finite or the model cannot run on the task. */
bool slow_step_run(SlowStep *step, const Model *model, const SlowTask *task,
                   const SlowOptions *options, Error *error);

/* Write the numbers after the step to the model. */
void slow_step_write(const SlowStep *step, Model *model);

/* Adam's update of one number of weight `w`, an index into the model's list. */
typedef struct {
    double before, gradient;
    double mean_before, square_before, mean, square;
    double mean_corrected, square_corrected;
    double change, after;
    int step; /* number of Adam's step, from 1 */
} AdamChange;
AdamChange slow_step_change(const SlowStep *step, int w, int cell);

/* Find the number that changed most; if several changed about equally, the one with the
 * largest gradient. */
void slow_step_largest(const SlowStep *step, int *w, int *cell);

void slow_step_free(SlowStep *step);
