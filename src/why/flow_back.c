#include "why/flow_back.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "explain/change.h"
#include "ops/ops.h"
#include "why/by_size.h"

bool flow_mixes(const Record *record, const Step *step) {
    const Step *weights = step->op->mixes ? record_step(record, step->input[0]) : NULL;
    if (weights && weights->op->reach == REACH_PLACE) /* after dropout */
        weights = record_step(record, weights->input[0]);
    return weights && weights->op->shares;
}

bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant) {
    static void (*const by_reach[])(Back *) = {[REACH_MANY] = relevance_ends,
                                               [REACH_PLACE] = relevance_ratio,
                                               [REACH_MOVED] = relevance_moved};
    const Op *op = step->op;
    void (*const relevance)(Back *) =
        op->relevance ? op->relevance : by_reach[op->reach];
    if (relevance == relevance_ends) return false;
    /* Numbers that were changed manually have no inputs: their part of the flow stops
     * there. */
    Flow rest = *flow;
    double stopped = 0;
    bool is_changed = record->changes && record->changes->done;
    if (is_changed) rest.slope = ARENA_ARRAY(arena, double, flow->count);
    for (int i = 0; is_changed && i < flow->count; i++) {
        int cell = flow->from + i;
        bool ends =
            flow->slope[i] != 0 && changes_of_cell(record->changes, flow->tensor, cell);
        if (!ends) rest.slope[i] = flow->slope[i];
        if (ends) stopped += flow->slope[i] * (double)flow->tensor->data[cell];
    }
    Back back = {step, &rest, flow_mixes(record, step), arena, into, 0};
    for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
    relevance(&back);
    *constant = back.constant + stopped;
    return true;
}

enum { TAPES = 4 };

/* The flows still to trace, for each step of each tape; a tape comes before those that
 * its steps read from. */
typedef struct {
    const Record *record;
    const Tape *tape[TAPES];
    Flow *pending[TAPES];
    Arena scratch;
    Arena *arena;
    Origins found;
} Search;

static void await(Search *search, const Flow *flow) {
    const Tensor *tensor = flow->tensor;
    if (!tensor || tensor->step == STEP_NONE) return;
    for (int t = 0; t < TAPES; t++) {
        const Tape *tape = search->tape[t];
        if (!tape || tensor->step >= tape->count ||
            tape->step[tensor->step].output != tensor)
            continue;
        flow_add(&search->pending[t][tensor->step], flow, &search->scratch);
        return;
    }
}

static void follow(Search *search, const Step *step, const Flow *flow) {
    Flow *into = ARENA_ARRAY(&search->scratch, Flow, step->inputs);
    double constant;
    if (flow_back(search->record, step, flow, &search->scratch, into, &constant)) {
        for (int i = 0; i < step->inputs; i++) await(search, &into[i]);
        return;
    }
    bool is_word = step->op == &op_embed &&
                   strcmp(step->input[1]->short_name, "position_ids") != 0;
    const int width = tensor_row(flow->tensor);
    Origins *found = &search->found;
    for (int i = 0; is_word && i < flow->count; i++) {
        if (flow->slope[i] == 0) continue;
        const int cell = flow->from + i;
        const int row = cell / width;
        WordOrigin *last = found->count ? &found->origin[found->count - 1] : NULL;
        if (!last || last->tensor != flow->tensor || last->row != row) {
            ARENA_GROW(search->arena, found->origin, found->count, found->capacity);
            assert(found->origin);
            last = &found->origin[found->count++];
            *last = (WordOrigin){flow->tensor, row, 0};
        }
        last->value += flow->slope[i] * (double)flow->tensor->data[cell];
    }
}

Origins origins_of(const Record *record, const Flow *flow, Arena *arena) {
    Search search = {.record = record,
                     .tape = {record->lens, record->steps, record->run, record->toy},
                     .arena = arena};
    for (int t = 0; t < TAPES; t++)
        if (search.tape[t])
            search.pending[t] =
                ARENA_ARRAY(&search.scratch, Flow, search.tape[t]->count);
    await(&search, flow);
    for (int t = 0; t < TAPES; t++)
        for (int s = search.tape[t] ? search.tape[t]->count - 1 : -1; s >= 0; s--)
            if (search.pending[t][s].tensor)
                follow(&search, &search.tape[t]->step[s], &search.pending[t][s]);
    arena_free(&search.scratch);
    Origins *found = &search.found;
    for (int o = 0; o < found->count; o++) found->size += fabs(found->origin[o].value);
    /* Sort by |value|, largest first. */
    double *size = ARENA_ARRAY(arena, double, found->count);
    WordOrigin *sorted = ARENA_ARRAY(arena, WordOrigin, found->count);
    for (int o = 0; o < found->count; o++) size[o] = fabs(found->origin[o].value);
    const int *order = by_size(size, found->count, arena);
    for (int o = 0; o < found->count; o++) sorted[o] = found->origin[order[o]];
    found->origin = sorted;
    return *found;
}

const char *origins_token(const Tensor *tensor, int axis, int cell, Arena *arena) {
    if (axis < 0) return "";
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 && batch != axis ? tensor_index(tensor, batch, cell) : 0;
    const Axis *along = &tensor->axis[axis];
    const char *label =
        address_label(along, row, tensor_index(tensor, axis, cell), arena);
    return along->labels ? label : arena_print(arena, "%s %s", along->name, label);
}

static const char *token_of(const WordOrigin *origin, Arena *arena) {
    const Tensor *tensor = origin->tensor;
    return origins_token(tensor, tensor->rank - 2, origin->row * tensor_row(tensor),
                         arena);
}

static const char *side_of(const WordOrigin *origin) {
    return origin->tensor->axis[origin->tensor->rank - 2].name;
}

const char *origins_print(const Origins *origins, int max, Arena *arena) {
    const double min = 0.05;
    Builder text = {.arena = arena};
    if (!isfinite(origins->size) || origins->size == 0) return "";
    if (max > origins->count) max = origins->count;
    while (max > 1 && fabs(origins->origin[max - 1].value) < min * origins->size) max--;
    for (int o = 0; o < max; o++) {
        const WordOrigin *origin = &origins->origin[o];
        const char *token = token_of(origin, arena);
        bool is_twin = false; /* in the source and in the target */
        for (int other = 0; other < max && !is_twin; other++)
            is_twin = strcmp(side_of(&origins->origin[other]), side_of(origin)) != 0 &&
                      strcmp(token_of(&origins->origin[other], arena), token) == 0;
        build_item(&text, ", ", "%s%s%s %s%.0f%%", is_twin ? side_of(origin) : "",
                   is_twin ? "=" : "", token, origin->value < 0 ? "−" : "",
                   100 * fabs(origin->value) / origins->size);
    }
    return builder_text(&text);
}
