/* slow_step.h - one step of learning, kept to be looked at: the sentence from its
 * tokens to the loss, every gradient, and what Adam made of them. The same arithmetic
 * as a trainer's step, on a batch that was typed. */
#pragma once

#include "learn/adam.h"
#include "model/model.h"

typedef struct {
    double rate, smoothing;
    bool drops; /* with dropout; the same numbers before and after the step */
    unsigned long long seed;
} SlowOptions;

typedef struct {
    Model model; /* a twin with the numbers before the step, and their gradients */
    Tape tape;   /* of that, from the tokens to the loss */
    Adam adam;   /* behind the step; its values are those of the twin */
    SlowOptions options;
    Number *gradient;
    Number *after, *mean, *square; /* weights behind the step; Adam's means before it */
    Tensor *logits, *loss;
    double loss_after, norm;
    Arena arena;
} SlowStep;

/* What the model reads, and what it should say. */
typedef struct {
    Ids source, target, wanted;
} SlowTask;

/* `model` must outlive it. Adam as in the paper: 0.9, 0.98, 1e-9. */
void slow_step_begin(SlowStep *step, const Model *model, bool drops);

/* Learn once from the task, as the model is now; its own numbers stay: those behind
 * the step are in `after`. What is kept of the task, labels too, are copies. The next
 * call goes on with Adam's means. Fails, with Adam as
 * it was, where a number is not finite or the model cannot run on it. */
bool slow_step_run(SlowStep *step, const Model *model, const SlowTask *task,
                   const SlowOptions *options, Error *error);

/* Give the model the numbers behind the step. */
void slow_step_write(const SlowStep *step, Model *model);

/* What Adam did with one number of weight `w`, counted as the model lists them. */
typedef struct {
    double before, gradient;
    double mean_before, square_before, mean, square;
    double mean_corrected, square_corrected;
    double change, after;
    int step; /* of Adam, from 1 */
} AdamChange;
AdamChange slow_step_change(const SlowStep *step, int w, int cell);

/* The number that changed most; of those that changed about as much, the one of the
 * largest gradient. */
void slow_step_largest(const SlowStep *step, int *w, int *cell);

void slow_step_free(SlowStep *step);
