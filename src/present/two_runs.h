/* two_runs.h - what differs between two runs, in words and as a figure. See
 * change/snapshot.h. */
#pragma once

#include "command/command.h"
#include "session/session.h"

typedef struct {
    Snapshot before, after;
    const char *address; /* to draw, with the tokens of `after`, which may be at other
                            positions in `before`; NULL: the first that differs */
} TwoRuns;

/* Report two answers and the confidence in each. */
void two_runs_say_confidence(const Answer *before, const Answer *after, Page *page);

/* Report how the current run differs from the one before a change: the answer, all of
 * it if it is new, and the first tensor that differs. */
void two_runs_say_change(Session *session, const Snapshot *before, bool is_new);

/* Report the row of attention weights that changed most since `before`. */
void two_runs_say_moved(Session *session, const Snapshot *before);

/* Report all of two named runs: sentences, answers, and the tensors that differ. */
void two_runs_say(Session *session, const TwoRuns *runs, const Differences *all);

/* Draw the address of the runs (NULL: the best tensor that differs) in the terminal or
 * to the file of -o. */
bool two_runs_draw(Session *session, const Arguments *arguments, const TwoRuns *runs,
                   const Differences *differences, Error *error);
