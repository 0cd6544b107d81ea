/* learning.h - one training step in slow motion: from the loss back to the first stage,
 * and Adam's update. It changes the weights in memory, not those in the model's folder.
 */
#pragma once

#include "session/session.h"

typedef struct {
    double rate, smoothing;
    const char *text; /* the target, or "" to keep it; for a classifier the label */
    const char *cell; /* the weight whose update is explained; NULL: the largest */
} LearningOptions;

/* Train on the current sentence and its target, run the sentence again, and go before
 * the first stop. Fail, without changing a weight, if there is no target. */
bool learning_step(Session *session, const LearningOptions *options, Error *error);

/* Restore the weights, bit for bit, and the target from before the first step. */
bool learning_undo(Session *session, Error *error);
