/* two_runs.h - what differs between two runs, in words. See change/snapshot.h. */
#pragma once

#include "session/session.h"

/* Report two answers and the confidence in each. */
void two_runs_say_confidence(const Answer *before, const Answer *after, Page *page);

/* Report how the current run differs from the one before a change: the answer, all of
 * it if it is new, and the first tensor that differs. */
void two_runs_say_change(Session *session, const Snapshot *before, bool is_new);

/* Report the row of attention weights that changed most since `before`. */
void two_runs_say_moved(Session *session, const Snapshot *before);

/* Report all of two named runs: sentences, answers, and the tensors that differ. */
void two_runs_say(Session *session, const Snapshot *before, const Snapshot *after,
                  const Differences *all);
