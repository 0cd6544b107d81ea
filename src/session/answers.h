/* answers.h - what the model answers to a sentence, and how reliable the answer is. */
#pragma once

#include "session/session.h"

/* Return background facts about the current model besides its weights, read once. */
const Background *answers_background(Session *session);

/* Report the model's answer to one sentence of the batch. */
void answers_say_row(Session *session, int row);
