/* What is followed of a number that is asked about. */
#include "ops/ops.h"
#include "why/parts.h"

/* A score less the mean of the others that have a share at all. */
static Flow above_others(const Step *softmax, int cell, Arena *arena) {
    const Tensor *scores = softmax->input[0];
    int size = tensor_row(scores);
    int row = cell / size * size;
    int others = 0;
    Flow flow = {.tensor = scores};
    flow_widen(&flow, row, row + size, arena);
    for (int i = 0; i < size; i++)
        others += row + i != cell && softmax->output->data[row + i] != 0;
    for (int i = 0; i < size && others; i++)
        if (row + i != cell && softmax->output->data[row + i] != 0)
            flow.slope[i] = -1.0 / others;
    if (others) flow.slope[cell - row] = 1;
    return flow;
}

/* The logit of what was chosen, less the mean of the others. */
static Flow above_unchosen(const Step *choose, int cell, Arena *arena) {
    const Tensor *logits = choose->input[0];
    int size = tensor_row(logits);
    int row = (cell + 1) * logits->axis[1].size - 1;
    int chosen = (int)choose->output->data[cell];
    Flow flow = {.tensor = logits};
    flow_widen(&flow, row * size, (row + 1) * size, arena);
    for (int i = 0; i < size; i++)
        flow.slope[i] = i == chosen ? 1 : -1.0 / (size > 1 ? size - 1 : 1);
    return flow;
}

/* What σ was taken of. */
static double sum_before(const Record *record, const Step *gate, const Flow *flow,
                         Arena *arena) {
    Flow into[2];
    double constant;
    flow_back(record, gate, flow, arena, into, &constant);
    return flow_value(&into[0]) + flow_value(&into[1]);
}

Part parts_whole(const Record *record, const Tensor *tensor, int cell, Arena *arena) {
    const Step *step = record_step(record, tensor);
    Flow flow = flow_cell(tensor, cell, 1, arena);
    Part whole = parts_new(record, PART_PLAIN, &flow);
    if (!step) {
        whole.kind = PART_GIVEN;
        return whole;
    }
    bool is_gate =
        step->op == &op_lstm_gate && step->setting.count % GATES != GATE_CELL;
    if (step->op == &op_softmax)
        flow = above_others(step, cell, arena);
    else if (step->op == &op_choose)
        flow = above_unchosen(step, cell, arena);
    else if (step->op == &op_sigmoid_pair)
        flow = flow_cell(step->input[0], cell / 2, cell % 2 ? 1 : -1, arena);
    else if (!is_gate)
        return whole;
    whole = parts_new(record, PART_FOLLOWED, &flow);
    if (is_gate) whole.value = sum_before(record, step, &flow, arena);
    return whole;
}
