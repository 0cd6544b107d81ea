#include "change/change_new.h"

#include <math.h>
#include <string.h>

#include "ops/ops.h"
#include "tensor/address.h"

static Number *number_copy(const Number *value, int values, Arena *arena) {
    Number *copy = ARENA_ARRAY(arena, Number, values);
    memcpy(copy, value, (size_t)values * sizeof *copy);
    return copy;
}

/* Override a whole tensor with one value or, if NULL, with its step's first input. */
static Override override_all(const Tensor *tensor, const Number *value, Arena *arena) {
    Override override = {
        .address = arena_print(arena, "%s", tensor->name),
        .rank = tensor->rank,
        .value = value ? number_copy(value, 1, arena) : NULL,
        .values = 1,
    };
    for (int a = 0; a < tensor->rank; a++) override.to[a] = ALL;
    return override;
}

static Override override_slice(const Slice *slice, const Number *value, int values,
                               Arena *arena) {
    const Tensor *tensor = slice->tensor;
    Override override = override_all(tensor, NULL, arena);
    override.value = number_copy(value, values, arena);
    override.values = values;
    for (int a = 0; a < tensor->rank; a++) {
        bool all = slice->from[a] == 0 && slice->to[a] == tensor->axis[a].size;
        if (all && values == 1) continue;
        override.from[a] = slice->from[a];
        override.to[a] = slice->to[a];
    }
    return override;
}

static Change change_open(const ChangeSource *source) {
    return (Change){.text = arena_print(source->arena, "%s", source->text)};
}

/* Return true if a decoding step computes row `place` (NOWHERE: any row). */
static bool is_decoded(const Record *record, const char *address, int place) {
    const Tape *steps = record->steps;
    int prompt = record->changes->prompt;
    for (int e = 0; e < steps->entries; e++) {
        const Tensor *tensor = steps->entry[e].tensor;
        int step;
        if (strcmp(address_after_step(tensor->name, &step), address) != 0) continue;
        if (place == NOWHERE) return true;
        for (int a = 0; a < tensor->rank; a++)
            if (change_is_target(tensor, a) && place < step + prompt &&
                place >= step + prompt - tensor->axis[a].size)
                return true;
    }
    return false;
}

/* Return true if decoding also computes what the override alters in the run. */
static bool maps(const Record *record, const Override *override) {
    const Tensor *tensor = tape_find(record->run, override->address);
    if (!record->steps || !tensor) return true;
    if (strncmp(tensor->name, "encoder.", strlen("encoder.")) == 0) return true;
    for (int a = 0; a < tensor->rank; a++) {
        if (!change_is_target(tensor, a)) continue;
        int to = override->to[a] == ALL ? tensor->axis[a].size : override->to[a];
        for (int t = override->from[a]; t < to; t++)
            if (!is_decoded(record, override->address, t)) return false;
        return true;
    }
    return is_decoded(record, override->address, NOWHERE);
}

static void add_override(const ChangeSource *source, Change *change,
                         Override override) {
    ARENA_GROW(source->arena, change->override, change->count, change->capacity);
    change->override[change->count++] = override;
    if (!change->of_weights && !maps(source->record, &override))
        change->holds_target = true;
}

void change_new_set(const ChangeSource *source, const Slice *slice, const Number *value,
                    int values, Change *change) {
    *change = change_open(source);
    add_override(source, change, override_slice(slice, value, values, source->arena));
}

void change_new_edit(const ChangeSource *source, const Slice *slice,
                     const Number *value, int values, Change *change) {
    *change = change_open(source);
    change->of_weights = true;
    Override override = override_slice(slice, value, values, source->arena);
    override.before = ARENA_ARRAY(source->arena, Number, slice_size(slice));
    add_override(source, change, override);
}

/* Return the softmax of the attention whose box contains the tensor, or NULL. */
static const Step *softmax_of(const Tape *tape, const Tensor *tensor) {
    size_t box = strlen(tensor->name) - strlen(tensor->short_name);
    for (int s = 0; s < tape->count; s++) {
        const Step *step = &tape->step[s];
        const Tensor *weights = step->output;
        if (step->op != &op_softmax || tensor_axis(weights, "key") < 0) continue;
        if (strlen(weights->name) - strlen(weights->short_name) == box &&
            strncmp(weights->name, tensor->name, box) == 0)
            return step;
    }
    return NULL;
}

bool change_new_mask(const ChangeSource *source, const Slice *slice, Change *change,
                     Error *error) {
    const Record *record = source->record;
    const Tensor *tensor = slice->tensor;
    const Number hidden = -INFINITY;
    const Step *step = softmax_of(record->run, tensor);
    if (!step && record->steps) step = softmax_of(record->steps, tensor);
    if (!step || !tensor_same_shape(step->output, tensor))
        return fail(error,
                    "%s is not attention; :mask takes cells of scores or weights, "
                    ":zero takes any",
                    tensor->name);
    Slice scores = *slice;
    scores.tensor = step->input[0];
    change_new_set(source, &scores, &hidden, 1, change);
    return true;
}

const Tensor *change_ids(const Tape *run) {
    const Tensor *ids = tape_find(run, "encoder.ids");
    return ids ? ids : tape_find(run, "decoder.ids");
}

/* Return true if the keys of these weights are the source's tokens. */
static bool looks_at(const Tape *run, const Tensor *ids, const Tensor *weights) {
    int key = tensor_axis(weights, "key");
    if (key < 0 || weights->axis[key].size != tensor_row(ids)) return false;
    return ids == tape_find(run, "decoder.ids") || !strstr(weights->name, "decoder.") ||
           !strstr(weights->name, ".self_attention.");
}

bool change_new_mask_key(const ChangeSource *source, int first, int last,
                         Change *change, Error *error) {
    const Tape *run = source->record->run;
    const Tensor *ids = change_ids(run);
    const Number hidden = -INFINITY;
    *change = change_open(source);
    for (int s = 0; s < run->count; s++) {
        const Step *step = &run->step[s];
        if (step->op != &op_softmax || !looks_at(run, ids, step->output)) continue;
        Override override = override_all(step->input[0], &hidden, source->arena);
        int axis = tensor_axis(step->output, "key");
        override.from[axis] = first;
        override.to[axis] = last;
        add_override(source, change, override);
    }
    if (change->count) return true;
    return fail(error, "this model has no attention to the source's tokens");
}

bool change_new_mask_head(const ChangeSource *source, const char *place, int head,
                          Change *change, Error *error) {
    const Tape *run = source->record->run;
    const Number none = 0;
    *change = change_open(source);
    for (int e = 0; e < run->entries; e++) {
        const Entry *entry = &run->entry[e];
        const Tensor *tensor = entry->tensor;
        int axis = tensor_axis(tensor, "head");
        /* "encoder.0" or "encoder.0.self_attention" */
        size_t length = strlen(place);
        bool is_at = strncmp(entry->address, place, length) == 0 &&
                     entry->address[length] == '.';
        if (axis < 0 || strcmp(entry->name, "context") != 0 || !is_at) continue;
        int heads = tensor->axis[axis].size;
        if (head < 0 || head >= heads)
            return fail(error, "%s has heads 0 to %d, but no head %d", place, heads - 1,
                        head);
        Override override = override_all(tensor, &none, source->arena);
        override.from[axis] = head;
        override.to[axis] = head + 1;
        add_override(source, change, override);
    }
    if (change->count) return true;
    return record_has_layer(source->record, place, source->arena, error) &&
           fail(error,
                "there are no heads at '%s'; name a layer or its attention, as in "
                ":mask encoder.0 head 2",
                place);
}

bool change_new_mask_layer(const ChangeSource *source, const char *place,
                           Change *change, Error *error) {
    const Tape *run = source->record->run;
    const Number none = 0;
    *change = change_open(source);
    for (int e = 0; e < run->entries; e++) {
        const Entry *entry = &run->entry[e];
        if (strcmp(entry->name, "output") != 0 || !*entry->where.box ||
            entry->where.layer == NOWHERE || strcmp(entry->where.place, place) != 0)
            continue;
        add_override(source, change, override_all(entry->tensor, &none, source->arena));
    }
    if (change->count) return true;
    return record_has_layer(source->record, place, source->arena, error) &&
           fail(error,
                "there is no layer '%s' with sublayers; name a layer as in :mask "
                "layer encoder.1",
                place);
}

bool change_new_no_position(const ChangeSource *source, Change *change, Error *error) {
    const Tape *run = source->record->run;
    const Number none = 0;
    *change = change_open(source);
    for (int s = 0; s < run->count; s++) {
        const Tensor *tensor = run->step[s].output;
        if (strcmp(tensor->short_name, "position") == 0)
            add_override(source, change, override_all(tensor, &none, source->arena));
    }
    if (change->count) return true;
    return fail(error, "this model adds no positions");
}

bool change_new_no_mask(const ChangeSource *source, Change *change, Error *error) {
    const Tape *run = source->record->run;
    *change = change_open(source);
    for (int s = 0; s < run->count; s++)
        if (run->step[s].op == &op_mask)
            add_override(source, change,
                         override_all(run->step[s].output, NULL, source->arena));
    if (change->count) return true;
    return fail(error, "this model masks nothing: it has no mask");
}

bool change_new_swap(const ChangeSource *source, TokenSpan one, TokenSpan other,
                     Change *change, Error *error) {
    const Tensor *ids = change_ids(source->record->run);
    const TokenSpan left = one.first < other.first ? one : other;
    const TokenSpan right = one.first < other.first ? other : one;
    if (left.last > right.first)
        return fail(error, "both are the token at position %d; name two", right.first);
    const TokenSpan part[] = {right, {left.last, right.first}, left};
    Number *value = ARENA_ARRAY(source->arena, Number, right.last - left.first);
    int values = 0;
    for (int p = 0; p < 3; p++)
        for (int i = part[p].first; i < part[p].last; i++)
            value[values++] = ids->data[i];
    Slice slice = slice_all(ids);
    slice.from[1] = left.first;
    slice.to[1] = right.last;
    *change = change_open(source);
    Override override = override_slice(&slice, value, values, source->arena);
    override.from[1] = left.first; /* even if the slice is the whole axis */
    override.to[1] = right.last;
    add_override(source, change, override);
    return true;
}
