/* before_after.h - compare a sentence before and after a change: both answers, and the
 * row of attention weights that changed most. */
#pragma once

#include "session/session.h"

/* Facts about the run before the change, in scratch memory. */
typedef struct {
    Answer answer[ROWS_MAX];
    double scale; /* factor of the scores */
    bool divides; /* by √d_head */
} BeforeAfter;

BeforeAfter before_after_begin(Session *session);

/* Report the answers to `rows` sentences. */
void before_after_answers(const Answer *before, const Answer *after, int rows,
                          Page *page);

/* Report the comparison. The old run must still be in the spare memory. */
void before_after_say(Session *session, const BeforeAfter *before);
