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

#include "tensor/op.h"

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

/* One step on the way back: how an operation hands a flow on (Op.because). */
struct Back {
    const Step *step;
    const Flow *flow; /* of its output */
    bool mixes;       /* its first input holds attention weights */
    Arena *arena;
    Flow *into;      /* of each input, to be filled; without a tensor: takes no part */
    double constant; /* what is the same for every sentence */
};

/* The slope of a number of the output. */
double back_slope(const Back *back, int cell);

/* Input `i` takes part, with its numbers `from` up to and without `to`. */
Flow *back_open(Back *back, int i, int from, int to);

/* Add to the slope of one number of input `i`. */
void back_pass(Back *back, int i, int cell, double slope);

/* The rows of `width` numbers that the flow touches: the first, and the one behind the
 * last. */
int back_first_row(const Back *back, int width);
int back_end_row(const Back *back, int width);

/* How operations do that have no way of their own. What is made of one number: in
 * proportion to it. What only moves: as it is, to where Op.from says. And of numbers
 * that come from nowhere else (the rows of a table, waves, ids): not at all. */
void because_ratio(Back *back);
void because_moved(Back *back);
void because_ends(Back *back);
