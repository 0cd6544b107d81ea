#include "explain/change.h"
#include "explain/flow_way.h"

double back_slope(const Back *back, int cell) {
    const Flow *flow = back->flow;
    bool inside = cell >= flow->from && cell < flow->from + flow->count;
    return inside ? flow->slope[cell - flow->from] : 0;
}

Flow *back_open(Back *back, int i, int from, int to) {
    Flow *into = &back->into[i];
    into->tensor = back->step->input[i];
    flow_widen(into, from, to, back->arena);
    return into;
}

void back_pass(Back *back, int i, int cell, double slope) {
    back_open(back, i, cell, cell + 1)->slope[cell - back->into[i].from] += slope;
}

int back_first_row(const Back *back, int width) {
    return back->flow->from / width;
}

int back_end_row(const Back *back, int width) {
    return (back->flow->from + back->flow->count + width - 1) / width;
}

/* How operations hand on that have a way of their own. */
static const struct {
    const Op *op;
    WayBack *back;
} ways[] = {
    {&op_linear, back_linear},
    {&op_layer_norm, back_norm},
    {&op_scale, back_scale},
    {&op_mask, back_mask},
    {&op_add, back_add},
    {&op_mean, back_mean},
    {&op_matmul, back_matmul},
    {&op_dot, back_dot},
    {&op_lstm_gate, back_gate},
    {&op_rnn_state, back_rnn_state},
    {&op_lstm_cell, back_lstm_cell},
    {&op_lstm_state, back_lstm_state},
};

/* How all others do; what is made of one number in proportion to it. NULL: they are
 * where a number begins. */
static WayBack *const by_reach[] = {
    [REACH_MANY] = NULL, [REACH_PLACE] = back_ratio, [REACH_MOVED] = back_moved};

static WayBack *way_of(const Op *op) {
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        if (ways[w].op == op) return ways[w].back;
    return by_reach[op->reach];
}

/* What a hand put there came from nowhere else: its part of the flow ends here, and is
 * returned; `rest` is the flow without it. */
static double stop_at_changes(const Record *record, const Flow *flow, Arena *arena,
                              Flow *rest) {
    double stopped = 0;
    *rest = *flow;
    if (!record->changes || !record->changes->done) return 0;
    rest->slope = ARENA_ARRAY(arena, double, flow->count);
    for (int i = 0; i < flow->count; i++) {
        int cell = flow->from + i;
        bool ends =
            flow->slope[i] != 0 && changes_of_cell(record->changes, flow->tensor, cell);
        if (!ends) rest->slope[i] = flow->slope[i];
        if (ends) stopped += flow->slope[i] * (double)flow->tensor->data[cell];
    }
    return stopped;
}

bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant) {
    WayBack *way = way_of(step->op);
    if (!way) return false;
    Flow rest;
    double stopped = stop_at_changes(record, flow, arena, &rest);
    Back back = {record, step, &rest, arena, into, 0};
    for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
    way(&back);
    *constant = back.constant + stopped;
    return true;
}
