#include "tensor/flow.h"

#include <assert.h>

/* Allocate a flow with `count` numbers of the tensor. */
static Flow flow_new(const Tensor *tensor, int from, int count, Arena *arena) {
    return (Flow){tensor, from, count, ARENA_ARRAY(arena, double, count)};
}

Flow flow_cell(const Tensor *tensor, int cell, double slope, Arena *arena) {
    Flow flow = flow_new(tensor, cell, 1, arena);
    flow.slope[0] = slope;
    return flow;
}

double flow_value(const Flow *flow) {
    double sum = 0;
    for (int i = 0; i < flow->count; i++) /* a masked score may be infinite */
        if (flow->slope[i] != 0)
            sum += flow->slope[i] * (double)flow->tensor->data[flow->from + i];
    return sum;
}

/* At least double the size, because numbers often come one at a time. */
void flow_widen(Flow *flow, int from, int to, Arena *arena) {
    if (flow->slope && from >= flow->from && to <= flow->from + flow->count) return;
    Flow before = *flow;
    if (before.slope) {
        int end = before.from + before.count;
        int size = tensor_size(before.tensor);
        from = from < before.from ? from - before.count : before.from;
        to = to > end ? to + before.count : end;
        if (from < 0) from = 0;
        if (to > size) to = size;
    }
    *flow = flow_new(before.tensor, from, to - from, arena);
    double *slope = flow->slope;
    assert(slope);
    for (int i = 0; before.slope && i < before.count; i++)
        slope[before.from + i - from] = before.slope[i];
}

void flow_add(Flow *flow, const Flow *more, Arena *arena) {
    flow->tensor = more->tensor;
    flow_widen(flow, more->from, more->from + more->count, arena);
    double *to = flow->slope + (more->from - flow->from);
    for (int i = 0; i < more->count; i++) to[i] += more->slope[i];
}

Flow flow_part(const Flow *flow, int a, int index, Arena *arena) {
    int first = 0;
    int last = -1;
    for (int i = 0; i < flow->count; i++) {
        if (flow->slope[i] == 0 ||
            tensor_index(flow->tensor, a, flow->from + i) != index)
            continue;
        if (last < 0) first = i;
        last = i;
    }
    Flow part = flow_new(flow->tensor, flow->from + first, last + 1 - first, arena);
    for (int i = first; i <= last; i++)
        if (tensor_index(flow->tensor, a, flow->from + i) == index)
            part.slope[i - first] = flow->slope[i];
    return part;
}

bool flow_spreads(const Flow *flow, int a) {
    int first = -1;
    int size = flow->tensor->axis[a].size;
    int stride = tensor_stride(flow->tensor, a);
    for (int i = 0; i < flow->count; i++) {
        if (flow->slope[i] == 0) continue;
        int index = (flow->from + i) / stride % size;
        if (first >= 0 && index != first) return true;
        first = index;
    }
    return false;
}

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

/* y = x times a factor that depends on x: treat y / x as constant */
void relevance_ratio(Back *back) {
    const Step *step = back->step;
    Flow *x =
        back_open(back, 0, back->flow->from, back->flow->from + back->flow->count);
    for (int i = 0; i < back->flow->count; i++) {
        double number = (double)step->input[0]->data[x->from + i];
        double made = (double)step->output->data[x->from + i];
        if (number != 0) x->slope[i] = back->flow->slope[i] * made / number;
    }
}

/* Rows that were moved; each starts where the row before it ends. */
void relevance_moved(Back *back) {
    const Step *step = back->step;
    int end = back->flow->from + back->flow->count;
    int row = tensor_row(step->output);
    int width = 0;
    for (int cell = back_first_row(back, row) * row; cell < end; cell += width) {
        const Place from = step->op->from(step, cell);
        int input = 0;
        while (input < step->inputs - 1 && step->input[input] != from.tensor) input++;
        width = tensor_row(from.tensor) < row ? tensor_row(from.tensor) : row;
        bool any = false;
        for (int i = 0; i < width; i++) any = any || back_slope(back, cell + i) != 0;
        Flow *x = any ? back_open(back, input, from.cell, from.cell + width) : NULL;
        for (int i = 0; i < width && x; i++)
            x->slope[from.cell + i - x->from] += back_slope(back, cell + i);
    }
}

void relevance_ends(Back *back) {
    (void)back;
}
