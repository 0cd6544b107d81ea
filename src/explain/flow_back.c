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

/* How each operation hands on. Those without a row are where a number begins. */
static const struct {
    const Op *op;
    WayBack *back;
} ways[] = {
    {&op_linear, back_linear},
    {&op_layer_norm, back_norm},
    {&op_relu, back_ratio},
    {&op_gelu, back_ratio},
    {&op_dropout, back_ratio},
    {&op_scale, back_scale},
    {&op_mask, back_mask},
    {&op_add, back_add},
    {&op_split_heads, back_moved},
    {&op_merge_heads, back_moved},
    {&op_append, back_moved},
    {&op_concatenate, back_moved},
    {&op_stack, back_moved},
    {&op_last_token, back_moved},
    {&op_mean, back_mean},
    {&op_matmul, back_matmul},
    {&op_dot, back_dot},
    {&op_lstm_gate, back_gate},
    {&op_rnn_state, back_rnn_state},
    {&op_lstm_cell, back_lstm_cell},
    {&op_lstm_state, back_lstm_state},
};

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
    Flow rest;
    double stopped = stop_at_changes(record, flow, arena, &rest);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        if (ways[w].op != step->op) continue;
        Back back = {record, step, &rest, arena, into, 0};
        for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
        ways[w].back(&back);
        *constant = back.constant + stopped;
        return true;
    }
    return false;
}
