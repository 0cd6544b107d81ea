#include "why/flow_back.h"

#include "explain/change.h"

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

bool flow_mixes(const Record *record, const Step *step) {
    const Step *weights = step->op->mixes ? record_step(record, step->input[0]) : NULL;
    if (weights && weights->op->reach == REACH_PLACE) /* dropped some of them */
        weights = record_step(record, weights->input[0]);
    return weights && weights->op->shares;
}

bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant) {
    static void (*const by_reach[])(Back *) = {[REACH_MANY] = because_ends,
                                               [REACH_PLACE] = because_ratio,
                                               [REACH_MOVED] = because_moved};
    const Op *op = step->op;
    void (*const because)(Back *) = op->because ? op->because : by_reach[op->reach];
    if (because == because_ends) return false;
    Flow rest;
    double stopped = stop_at_changes(record, flow, arena, &rest);
    Back back = {step, &rest, flow_mixes(record, step), arena, into, 0};
    for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
    because(&back);
    *constant = back.constant + stopped;
    return true;
}
