/* learning.h - one step of learning told slowly: from the loss back to the first stage,
 * and what Adam makes of it. The weights of the model at hand have learned then, those
 * in its folder have not. */
#pragma once

#include "session/session.h"

typedef struct {
    double rate, smoothing;
    const char *label; /* of a classifier: what it should say */
    const char *cell;  /* the weight whose step is taken apart; NULL: the largest */
} LearningOptions;

/* Learn from the sentence at hand and its target, run the sentence again, and stand
 * before the first stop. Fails, with nothing changed, without a target. */
bool learning_step(Session *session, const LearningOptions *options, Error *error);

/* Is the walk going backwards? */
bool learning_walks(const Session *session);

/* Go to the next stop, or back to the one before; behind the last, and before the
 * first, it ends, and the walk through the sentence is where it was. */
bool learning_next(Session *session, Error *error);
bool learning_back(Session *session, Error *error);

/* Say all stops. */
void learning_say_all(Session *session);

/* Give the weights back what they were before the first step, bit for bit. */
bool learning_undo(Session *session, Error *error);

/* Forget the gradients and Adam's means, since the model has become another. What it
 * takes to undo stays. */
void learning_stop(Session *session);

/* Forget all of it. */
void learning_free(Session *session);
