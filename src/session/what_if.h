/* what_if.h - changing the run at hand, and saying what came of it. */
#pragma once

#include "session/session.h"

/* Change the run and say what it says now instead of before, and where the two runs
 * first differ. Fails as session_change() does. */
bool what_if_change(Session *session, const Change *change, Error *error);

/* The same for undoing and doing again. */
bool what_if_hold(Session *session, int done, Error *error);

/* Say how the outcomes of two runs differ. */
void what_if_outcomes(const Outcome *before, const Outcome *after, Page *page);

/* The run at hand; its tensors are those of the run unless `depth` says otherwise. */
Snapshot what_if_now(Session *session, SnapshotDepth depth, Arena *arena);
