/* answers.h - what the model makes of a sentence, and how far that can be trusted. */
#pragma once

#include "session/session.h"

/* What is known of the model at hand beside its weights: read once. */
const Background *answers_background(Session *session);

/* Say what the model makes of one sentence of the batch. */
void answers_say_row(Session *session, int row);
