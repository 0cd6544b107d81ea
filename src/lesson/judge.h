/* judge.h - is an answer right? Where it cannot be one at all, it is no answer, and
 * costs nothing.
 */
#pragma once

#include "lesson/value.h"

typedef enum { JUDGED_RIGHT, JUDGED_WRONG, JUDGED_NO_ANSWER } Verdict;

typedef struct {
    Verdict verdict;
    const char *reply; /* why it is wrong, or no answer; NULL: nothing is to be said */
} Judgement;

/* What was typed as the answer to a question, or NULL for the state that was asked for.
 * Fails where the question cannot be asked of what is at hand. */
bool judge(const Quiz *question, const char *typed, const AtHand *at_hand,
           Judgement *judgement, Error *error);

/* An answer that is right, as it would be typed; of a state the first command. In the
 * arena. */
bool judge_right_answer(const Quiz *question, const AtHand *at_hand,
                        const char **answer, Error *error);
