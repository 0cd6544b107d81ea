/* greeting.h - the first lines of the prompt. */
#pragma once

#include "shell/session.h"

/* What the program is, what its model is for, and what to type. */
void greeting_say(Session *session);
