/* value.h - evaluate the expressions and conditions of questions for the current run.
 *
 * The expected answer can be computed from the run, so that a lesson's numbers are
 * never outdated:
 *
 *     encoder.0.self_attention.weights[head=1, query=2, key=3]      a cell
 *     sum ADDRESS[slice]     mean, deviation, min, max of its cells
 *     largest key ADDRESS[slice]     index along the axis of its largest cell
 *     smallest key ADDRESS[slice]
 *     count key ADDRESS      size of the axis
 *     answer                 the model's answer
 *
 * Conditions compare such a value: "EXPRESSION > 0.5", "< 0.5", "= 0.5 +- 0.1",
 * "largest key ADDRESS = 부산", "answer = TEXT", "answer != TEXT", "option norm = pre".
 */
#pragma once

#include "explain/record.h"
#include "lesson/question.h"
#include "store/config.h"

/* The current state of the session. */
typedef struct {
    Record record;
    const char *answer;    /* NULL: the model has not given an answer, */
    const char *no_answer; /* for this reason; NULL: nothing has been asked yet */
    const Config *config;  /* NULL: no model is open */
    Arena *arena;          /* for all results */
} AtHand;

typedef struct {
    double number;        /* the cell, the sum, the index along the axis; NAN: a text */
    const char *label;    /* its label, or the answer; NULL: only a number */
    const Tensor *tensor; /* of a cell, or NULL */
    int cell;             /* the cell that was found */
    const Axis *axis;     /* axis of the index, or NULL */
    int row;              /* of the batch */
} Value;

/* Evaluate `expression`, given without its "=". */
bool value_compute(const char *expression, const AtHand *at_hand, Value *value,
                   Error *error);

/* Return the token with that label on the first axis that has one; axis NULL: not
 * found. */
Value value_token(const char *label, const AtHand *at_hand);

/* Return true if `number` is close enough to `expected`. A whole number must be exact;
 * other numbers may differ in the third digit. A tolerance >= 0 replaces this rule. */
bool value_is_near(double number, double expected, double tolerance);

/* Evaluate the condition. Fail if that is not possible. */
bool value_holds(const char *condition, const AtHand *at_hand, bool *holds,
                 Error *error);

/* Return the values that a false condition compares: "now 1.0, wanted below 0.1". */
const char *value_explain(const char *condition, const AtHand *at_hand);
