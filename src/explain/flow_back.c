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

bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant) {
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        if (ways[w].op != step->op) continue;
        Back back = {record, step, flow, arena, into, 0};
        for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
        ways[w].back(&back);
        *constant = back.constant;
        return true;
    }
    return false;
}
