/* flow.h - the gradient of a number, followed back step by step so that nothing of it
 * is lost.
 *
 * A flow is a weighted sum of numbers of one tensor: the number that is explained, or a
 * part of it. Each step writes it as a sum over its inputs. For that attention weights,
 * the gates of an LSTM and the deviation of a layer norm are taken as they are, a bent
 * number as its share of what it was before it was bent, and of a product of two
 * computed numbers (query · key) each gets half. What is left is linear, so that slope
 * × number of the inputs, and the biases, add up exactly to slope × number of the
 * output.
 */
#pragma once

#include "explain/record.h"

/* The sum over i of slope[i] × number `from` + i of the tensor. */
typedef struct {
    const Tensor *tensor; /* NULL: nothing */
    int from, count;
    double *slope;
} Flow;

/* `slope` × one number. In `arena`. */
Flow flow_cell(const Tensor *tensor, int cell, double slope, Arena *arena);

/* The sum. */
double flow_value(const Flow *flow);

/* Room for the numbers from `from` up to, and without, `to` beside those there are. */
void flow_widen(Flow *flow, int from, int to, Arena *arena);

/* Add what `more` holds, of the same tensor; room is taken from `arena`. */
void flow_add(Flow *flow, const Flow *more, Arena *arena);

/* Only the numbers whose index along axis `a` is `index`. In `arena`. */
Flow flow_part(const Flow *flow, int a, int index, Arena *arena);

/* Do numbers at more than one index along axis `a` have a slope? */
bool flow_spreads(const Flow *flow, int a);

/* The same sum as flows of the inputs, into[i] of input i (without a tensor where that
 * takes no part), and the part that is the same for every sentence, `constant`. False
 * where the step's numbers come from nowhere else: the rows of a table, waves, ids. */
bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant);

/* The step is softmax(...) times values, which it mixes. */
bool flow_mixes(const Record *record, const Step *step);
