/* greeting.h - the first lines of the prompt. */
#pragma once

#include "session/session.h"

/* What the model at hand is for, and what to type. */
void greeting_say_model(Session *session);

/* What the program is, what its model is for, and what to type. */
void greeting_say(Session *session);
