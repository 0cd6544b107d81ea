/* value.h - what a lesson asks of the run at hand: values that are computed, so that a
 * lesson holds no stale number, and conditions that are to be made true.
 *
 *     encoder.0.self_attention.weights[head=1, query=2, key=3]      a cell
 *     sum ADDRESS[slice]     mean, deviation, min, max of its cells
 *     largest key ADDRESS[slice]     where along the axis its largest cell stands
 *     smallest key ADDRESS[slice]
 *     count key ADDRESS      how many there are along the axis
 *     answer                 what the model says
 */
#pragma once

#include "explain/record.h"
#include "store/config.h"

/* What is at hand. */
typedef struct {
    Record record;
    const char *answer;   /* NULL: there is none */
    const Config *config; /* NULL: there is no model */
    Arena *arena;         /* of all that follows */
} AtHand;

typedef struct {
    double number;        /* the cell, the sum, the index along the axis */
    const char *label;    /* what stands there, or the answer; NULL: only a number */
    const Tensor *tensor; /* of a cell, or NULL */
    int cell;             /* the one that was found */
} Value;

/* `expression` without its "=". Fails with what is wrong with it, or with the run. */
bool value_compute(const char *expression, const AtHand *at_hand, Value *value,
                   Error *error);

/* Does it hold: "EXPRESSION > 0.5", "< 0.5", "= 0.5 +- 0.1", "largest key ADDRESS =
 * 부산", "answer = TEXT", "answer != TEXT", "option norm = pre"? Fails where that
 * cannot be said. */
bool value_holds(const char *condition, const AtHand *at_hand, bool *holds,
                 Error *error);

/* Is `number` as good as `wanted`? A whole number must be hit; of another one the third
 * digit may be wrong. A tolerance that is not negative counts instead. */
bool value_is_near(double number, double wanted, double tolerance);
