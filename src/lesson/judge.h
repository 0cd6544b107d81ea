/* judge.h - is an answer correct? Input that cannot be an answer does not count as
 * one. */
#pragma once

#include "lesson/value.h"

typedef enum { JUDGED_RIGHT, JUDGED_WRONG, JUDGED_NO_ANSWER } Verdict;

typedef struct {
    Verdict verdict;
    const char *reply; /* why it is wrong or not an answer; NULL: nothing to say */
} Judgement;

/* Judge the text that was typed, or the state of the session if `typed` is NULL. Fail
 * if the question does not apply to the current run. */
bool judge(const Quiz *question, const char *typed, const AtHand *at_hand,
           Judgement *judgement, Error *error);

/* Return a correct answer as a user would type it, in the arena; for a state, the first
 * command. */
bool judge_right_answer(const Quiz *question, const AtHand *at_hand,
                        const char **answer, Error *error);
