/* flow.h - split a number into contributions, followed backward step by step without
 * loss.
 *
 * A flow is a weighted sum of numbers of one tensor: the number that is explained, or a
 * part of it. Each step rewrites it as a sum over its inputs. For this, attention
 * weights, the gates of an LSTM and the deviation of a layer norm are treated as
 * constants; a nonlinearity y = f(x) is treated as the factor y / x; and in a product
 * of two computed numbers (query · key), each factor gets half. The rest is linear, so
 * slope × number summed over the inputs, plus the biases, equals slope × number of the
 * output exactly. */
#pragma once

#include "tensor/op.h"

/* The sum over i of slope[i] times number `from` + i of the tensor. */
typedef struct {
    const Tensor *tensor; /* NULL: empty */
    int from, count;
    double *slope;
} Flow;

/* Return `slope` × one number. Allocated in `arena`. */
Flow flow_cell(const Tensor *tensor, int cell, double slope, Arena *arena);

/* Return the sum. */
double flow_value(const Flow *flow);

/* Make room for the numbers from `from` up to, but not including, `to`, keeping the
 * existing ones. */
void flow_widen(Flow *flow, int from, int to, Arena *arena);

/* Add `more`, which belongs to the same tensor. Allocates in `arena`. */
void flow_add(Flow *flow, const Flow *more, Arena *arena);

/* Return only the numbers whose index along axis `a` is `index`, in `arena`. */
Flow flow_part(const Flow *flow, int a, int index, Arena *arena);

/* Do numbers at more than one index along axis `a` have a slope? */
bool flow_spreads(const Flow *flow, int a);

/* One step backward: how an operation passes a flow on (Op.relevance). */
struct Back {
    const Step *step;
    const Flow *flow; /* of its output */
    bool mixes;       /* the first input is attention weights */
    Arena *arena;
    Flow *into; /* for each input, to be filled; inputs without a tensor get nothing */
    double constant; /* the part that is the same for every sentence */
};

/* Return the slope of a number of the output. */
double back_slope(const Back *back, int cell);

/* Prepare the flow of input `i`, for its numbers `from` up to, but not including,
 * `to`. */
Flow *back_open(Back *back, int i, int from, int to);

/* Add to the slope of one number of input `i`. */
void back_pass(Back *back, int i, int cell, double slope);

/* Return the first of the rows of `width` numbers that the flow touches, and the row
 * after the last. */
int back_first_row(const Back *back, int width);
int back_end_row(const Back *back, int width);

/* Common rules. relevance_ratio(): an output computed from one number, in proportion to
 * it. relevance_moved(): a number that is only moved, to where Op.from says.
 * relevance_ends(): numbers with no origin (rows of a table, waves, ids). */
void relevance_ratio(Back *back);
void relevance_moved(Back *back);
void relevance_ends(Back *back);
