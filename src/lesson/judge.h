/* judge.h - is an answer right? Where it cannot be one at all, it is no answer, and
 * costs nothing.
 *
 * What a question wants can be computed from the run at hand, so that a lesson holds no
 * stale number:
 *
 *     encoder.0.self_attention.weights[head=1, query=2, key=3]      a cell
 *     sum ADDRESS[slice]     mean, deviation, min, max of its cells
 *     largest key ADDRESS[slice]     where along the axis its largest cell stands
 *     smallest key ADDRESS[slice]
 *     count key ADDRESS      how many there are along the axis
 *     answer                 what the model says
 *
 * Conditions to be made true compare such a value: "EXPRESSION > 0.5", "< 0.5",
 * "= 0.5 +- 0.1", "largest key ADDRESS = 부산", "answer = TEXT", "answer != TEXT",
 * "option norm = pre". */
#pragma once

#include "explain/record.h"
#include "lesson/question.h"
#include "store/config.h"

/* What is at hand. */
typedef struct {
    Record record;
    const char *answer;    /* NULL: there is none that is its own, */
    const char *no_answer; /* for this reason; NULL: it was asked nothing yet */
    const Config *config;  /* NULL: there is no model */
    Arena *arena;          /* of all that follows */
} AtHand;

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
