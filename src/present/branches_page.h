/* forks_page.h - the branches of a decoding: see session/forks.h. */
#pragma once

#include "session/forks.h"

/* Compare the new branch, which picked a token at `step`, with the one before. */
void forks_say_picked(Session *session, const ForkBefore *before, int step);

/* Report the sentence of the current branch. */
void forks_say_current(Session *session);

/* List the branches, one per line. */
void forks_say(Session *session);
