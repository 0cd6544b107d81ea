/* learning_say.h - the stops of a step of learning, as pages. */
#pragma once

#include "session/session.h"

/* The loss: what should have been said at each place, and how probable it was. */
void learning_say_loss(Session *session, int count);

/* The gradients of what a stage shows, and of the weights it read: stop `number`. */
void learning_say_stage(Session *session, const Stage *stage, int at, int count);

/* What Adam did with one weight, and the loss behind the step. */
void learning_say_adam(Session *session, int count);
