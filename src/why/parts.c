#include "why/parts.h"

#include <math.h>
#include <string.h>

#include "ops/ops.h"
#include "why/by_size.h"

/* Parts being collected. */
typedef struct {
    const Record *record;
    Arena *arena;
    Parts parts;
    double constant;
} Split;

int parts_head_axis(const Tensor *tensor) {
    return tensor_axis(tensor, "head");
}

int parts_token_axis(const Tensor *tensor) {
    return tensor->rank - 2;
}

/* Make a part from a flow, with its place in the model and its value. */
static Part part_new(const Record *record, PartKind kind, const Flow *flow) {
    Part part = {.kind = kind, .flow = *flow, .value = flow_value(flow)};
    const Tape *const tape[] = {record->run, record->steps, record->toy, record->lens};
    part.where = (Where){.box = "", .stack = "", .layer = NOWHERE, .step = NOWHERE};
    for (int t = 0; t < 4; t++)
        for (int e = 0; tape[t] && e < tape[t]->entries; e++)
            if (tape[t]->entry[e].tensor == flow->tensor) { /* the first name counts */
                part.where = tape[t]->entry[e].where;
                part.on_steps = t == 1;
                return part;
            }
    return part;
}

static void keep(Split *split, const Part *part) {
    if (part->value == 0) return;
    Parts *parts = &split->parts;
    ARENA_GROW(split->arena, parts->part, parts->count, parts->capacity);
    parts->part[parts->count++] = *part;
}

static bool spreads(const Flow *flow, int axis) {
    return axis >= 0 && flow_spreads(flow, axis);
}

static bool spreads_at_all(const Flow *flow) {
    return spreads(flow, parts_head_axis(flow->tensor)) ||
           spreads(flow, parts_token_axis(flow->tensor));
}

/* LSTMs and RNNs pass states from token to token inside their box. */
static bool is_recurrent(const Where *where) {
    return strcmp(where->box, "lstm") == 0 || strcmp(where->box, "rnn") == 0;
}

/* Return true if the path enters another box. Attention in a seq2seq is not a box: its
 * queries and keys are separate parts. */
static bool enters(const Where *from, const Where *to) {
    if (!*to->box || strcmp(to->box, "attention") == 0) return false;
    if (strcmp(from->box, to->box) != 0 || strcmp(from->stack, to->stack) != 0)
        return true;
    return from->layer != to->layer && !is_recurrent(to);
}

/* Return the kind of a part that cannot be traced further. */
static PartKind kind_of_beginning(const Step *step) {
    if (!step) return PART_GIVEN;
    if (step->op == &op_sinusoid) return PART_POSITION;
    if (step->op != &op_embed) return PART_GIVEN;
    bool places = strcmp(step->input[1]->short_name, "position_ids") == 0;
    return places ? PART_POSITION : PART_WORD;
}

/* Count the inputs that contribute, and set `only` to one of them. */
static int count_flows(const Flow *into, int inputs, int *only) {
    int count = 0;
    for (int i = 0; i < inputs; i++) {
        bool any = false;
        for (int c = 0; into[i].tensor && c < into[i].count; c++)
            any = any || into[i].slope[c] != 0;
        if (any) *only = i;
        count += any;
    }
    return count;
}

/* Return the attention weights by which this step averages one row, or empty. */
static Place weights_of(const Record *record, const Step *step, const Flow *flow) {
    int row = -1;
    int width = tensor_row(step->output);
    if (!flow_mixes(record, step)) return (Place){0};
    for (int i = 0; i < flow->count; i++) {
        int here = (flow->from + i) / width;
        if (flow->slope[i] == 0 || here == row) continue;
        if (row >= 0) return (Place){0};
        row = here;
    }
    const Tensor *weights = step->input[0];
    return (Place){weights, row * tensor_row(weights)};
}

/* If a part leads to a word or box through steps with one input, keep that word or box
 * instead; biases on the path are constants. */
static void keep_settled(Split *split, Part part) {
    double constant = 0;
    Part end = part;
    for (;;) {
        const Step *step = record_step(split->record, end.flow.tensor);
        Flow *into = step ? ARENA_ARRAY(split->arena, Flow, step->inputs) : NULL;
        double more = 0;
        int only = 0;
        if (!step ||
            !flow_back(split->record, step, &end.flow, split->arena, into, &more)) {
            end.kind = kind_of_beginning(step);
            split->constant += constant;
            keep(split, &end);
            return;
        }
        if (count_flows(into, step->inputs, &only) != 1) break;
        constant += more;
        Part next = part_new(split->record, part.kind, &into[only]);
        if (spreads_at_all(&next.flow)) break;
        if (enters(&end.where, &next.where)) {
            next.kind = PART_BOX;
            split->constant += constant;
            keep(split, &next);
            return;
        }
        end = next;
    }
    keep(split, &part);
}

/* Trace one step back along the stream. Return false if it ends there or (without a
 * tensor) was split. */
static bool step_back(Split *split, Part *part) {
    const Record *record = split->record;
    const Step *step = record_step(record, part->flow.tensor);
    Flow *into = step ? ARENA_ARRAY(split->arena, Flow, step->inputs) : NULL;
    double constant = 0;
    int stream = -1;
    if (!step || !flow_back(record, step, &part->flow, split->arena, into, &constant)) {
        part->kind = kind_of_beginning(step);
        return false;
    }
    split->constant += constant;
    if (count_flows(into, step->inputs, &stream) > 1) {
        /* The input that is the residual stream or the previous state. */
        bool recurs = step->op == &op_lstm_cell || step->op == &op_rnn_state;
        stream = step->op == &op_add ? 0 : recurs ? 1 : -1;
        for (int i = 0; i < step->inputs; i++) {
            if (i == stream || !into[i].tensor) continue;
            Part side = part_new(record, PART_PLAIN, &into[i]);
            if (step->op == &op_dot) side.kind = PART_FACTOR;
            bool enters_box = enters(&part->where, &side.where);
            bool is_spread = spreads_at_all(&into[i]);
            if (enters_box || (!is_spread && is_recurrent(&side.where)))
                side.kind = PART_BOX;
            if (enters_box || is_spread)
                keep(split, &side);
            else
                keep_settled(split, side);
        }
    }
    const Part before = *part;
    *part = (Part){0};
    if (stream < 0) return false;
    *part = part_new(record, PART_PLAIN, &into[stream]);
    part->weight = weights_of(record, step, &before.flow);
    if (!part->weight.tensor) part->weight = before.weight;
    if (!enters(&before.where, &part->where)) return true;
    part->kind = PART_BOX;
    return false;
}

/* Make one part per index of the axis. */
static void divide(Split *split, const Part *part, int axis, PartKind kind) {
    const Step *step = record_step(split->record, part->flow.tensor);
    for (int index = 0; index < part->flow.tensor->axis[axis].size; index++) {
        Part one = *part;
        one.flow = flow_part(&part->flow, axis, index, split->arena);
        if (one.flow.count == 0) continue;
        one.kind = kind;
        one.value = flow_value(&one.flow);
        one.weight = (Place){0};
        if (kind != PART_TOKEN && step)
            one.weight = weights_of(split->record, step, &one.flow);
        else if (kind == PART_TOKEN && part->weight.tensor)
            one.weight = (Place){part->weight.tensor, part->weight.cell + index};
        keep(split, &one);
    }
}

bool parts_open(const Part *part) {
    return part->kind < PART_WORD;
}

Parts parts_of(const Record *record, const Part *part, Arena *arena) {
    Split split = {.record = record, .arena = arena};
    Part whole = *part;
    if (!parts_open(part)) return split.parts;
    for (;;) { /* split a single part too, if it has no name */
        split.parts = (Parts){0};
        int head = parts_head_axis(whole.flow.tensor);
        int token = parts_token_axis(whole.flow.tensor);
        if (spreads(&whole.flow, head))
            divide(&split, &whole, head, PART_HEAD);
        else if (spreads(&whole.flow, token))
            divide(&split, &whole, token, PART_TOKEN);
        else {
            /* Trace back through steps that have one input or continue a stream, up to
             * a box, a word or a sum. */
            Part back = whole;
            while (step_back(&split, &back) && !spreads_at_all(&back.flow)) continue;
            if (back.flow.tensor &&
                (back.flow.tensor != whole.flow.tensor || back.kind != whole.kind))
                keep(&split, &back);
        }
        if (split.parts.count != 1 || split.parts.part[0].kind != PART_PLAIN) break;
        whole = split.parts.part[0];
    }
    Part constant = {.kind = PART_CONSTANT, .value = split.constant};
    constant.where = (Where){.box = "", .stack = "", .layer = NOWHERE, .step = NOWHERE};
    keep(&split, &constant);
    /* Sort by |value|, largest first. */
    Parts *parts = &split.parts;
    double *size = ARENA_ARRAY(arena, double, parts->count);
    Part *sorted = ARENA_ARRAY(arena, Part, parts->count);
    for (int p = 0; p < parts->count; p++) size[p] = fabs(parts->part[p].value);
    const int *order = by_size(size, parts->count, arena);
    for (int p = 0; p < parts->count; p++) sorted[p] = parts->part[order[p]];
    parts->part = sorted;
    return *parts;
}

/* The score minus the mean of the others that are not masked. */
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

/* The logit of the chosen token minus the mean of the others. */
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

Part parts_whole(const Record *record, const Tensor *tensor, int cell, Arena *arena) {
    const Step *step = record_step(record, tensor);
    Flow flow = flow_cell(tensor, cell, 1, arena);
    Part whole = part_new(record, PART_PLAIN, &flow);
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
    whole = part_new(record, PART_FOLLOWED, &flow);
    if (is_gate) { /* the argument of σ */
        Flow into[2];
        double constant;
        flow_back(record, step, &flow, arena, into, &constant);
        whole.value = flow_value(&into[0]) + flow_value(&into[1]);
    }
    return whole;
}
