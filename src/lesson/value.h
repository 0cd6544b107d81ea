/* value.h - what a question's expressions and conditions say of the run at hand.
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

typedef struct {
    double number;        /* the cell, the sum, the index along the axis */
    const char *label;    /* what is there, or the answer; NULL: only a number */
    const Tensor *tensor; /* of a cell, or NULL */
    int cell;             /* the one that was found */
    const Axis *axis;     /* along which the index counts, or NULL */
    int row;              /* of the batch */
} Value;

/* `expression` without its "=". */
bool value_compute(const char *expression, const AtHand *at_hand, Value *value,
                   Error *error);

/* The token of that name on the first axis that has one; an axis of NULL: none has. */
Value value_token(const char *label, const AtHand *at_hand);

/* Is `number` as good as `wanted`? A whole number must be hit; of another one the third
 * digit may be wrong. A tolerance that is not negative counts instead. */
bool value_is_near(double number, double wanted, double tolerance);

/* Does the condition hold? Fails where that cannot be said. */
bool value_holds(const char *condition, const AtHand *at_hand, bool *holds,
                 Error *error);

/* "now 1.0, wanted below 0.1": what a condition compares, where it does not hold. */
const char *value_explain(const char *condition, const AtHand *at_hand);
