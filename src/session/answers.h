/* answers.h - what the program says to a sentence first: the answer. */
#pragma once

#include "session/session.h"

/* What the model makes of each sentence of the batch, and how to see why. */
void answers_say(Session *session);

/* The same of one sentence, without the rest. */
void answers_say_row(Session *session, int row);
