/* flow_way.h - how each operation hands a flow on to its inputs: what flow_back() is
 * made of. */
#pragma once

#include "explain/flow.h"
#include "ops/ops.h"

/* One step on the way back. */
typedef struct {
    const Record *record;
    const Step *step;
    const Flow *flow; /* of its output */
    Arena *arena;
    Flow *into;      /* of each input, filled by the way */
    double constant; /* what is the same for every sentence */
} Back;

typedef void WayBack(Back *back);

/* flow_rows.c */
WayBack back_linear, back_norm, back_ratio, back_scale, back_mask, back_add, back_mean;

/* flow_moved.c */
WayBack back_moved;

/* flow_product.c */
WayBack back_matmul, back_dot;

/* flow_recurrent.c */
WayBack back_gate, back_rnn_state, back_lstm_cell, back_lstm_state;

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
