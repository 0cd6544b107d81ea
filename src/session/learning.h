/* learning.h - one step of learning told slowly: from the loss back to the first stage,
 * and what Adam makes of it. The weights of the model at hand have learned then, those
 * in its folder have not. */
#pragma once

#include "session/session.h"

typedef struct {
    double rate, smoothing;
    const char *text; /* the target, or "": as it is; of a classifier the label */
    const char *cell; /* the weight whose step is taken apart; NULL: the largest */
} LearningOptions;

/* Learn from the sentence at hand and its target, run the sentence again, and stand
 * before the first stop. Fails, with no weight changed, without a target. */
bool learning_step(Session *session, const LearningOptions *options, Error *error);

/* Give the weights back what they were before the first step, bit for bit, and the
 * sentence the target that it had before a step gave it another. */
bool learning_undo(Session *session, Error *error);
