/* answers.h - what the model answers to a sentence, and how reliable the answer is. */
#pragma once

#include "session/session.h"

/* Report the model's answer to one sentence of the batch. */
void answers_say_row(Session *session, int row);

/* Report the answers to the whole batch and how to see why. This comes before the first
 * stop. */
void answers_say(Session *session);
