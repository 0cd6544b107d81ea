/* branches_page.h - the branches of a decoding: see session/branches.h. */
#pragma once

#include "session/branches.h"

/* Compare the new branch, which picked a token at `step`, with the one before. */
void branches_say_picked(Session *session, const BranchBefore *before, int step);

/* Report the sentence of the current branch. */
void branches_say_current(Session *session);

/* List the branches, one per line. */
void branches_say(Session *session);
