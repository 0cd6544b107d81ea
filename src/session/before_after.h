/* before_after.h - a sentence that was run again with something changed: what the model
 * said before and says now, and the row of attention that changed most. */
#pragma once

#include "session/session.h"

/* What is kept of the run before, in the scratch memory. */
typedef struct {
    Answer answer[ROWS_MAX];
    double scale; /* what scores were multiplied with */
    bool divides; /* by the root of d_head */
} BeforeAfter;

BeforeAfter before_after_begin(Session *session);

/* Say the answers to so many sentences. */
void before_after_answers(const Answer *before, const Answer *after, int rows,
                          Page *page);

/* Say it, when the sentence was run again and what it was is still in the spare memory.
 */
void before_after_say(Session *session, const BeforeAfter *before);
