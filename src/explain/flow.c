#include "explain/flow.h"

#include <assert.h>

/* Room for `count` numbers of the tensor. */
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
    for (int i = 0; i < flow->count; i++) /* a hidden score may be infinite */
        if (flow->slope[i] != 0)
            sum += flow->slope[i] * (double)flow->tensor->data[flow->from + i];
    return sum;
}

/* Where it grows it grows by as much as it has: numbers often come one by one. */
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
