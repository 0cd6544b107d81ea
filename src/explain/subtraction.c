#include "explain/subtraction.h"

#include <math.h>
#include <string.h>

#include "explain/alignment.h"
#include "explain/shown_tokens.h"

static int length(const Slice *slice, int a) {
    return slice->to[a] - slice->from[a];
}

static int row_of(const Slice *slice) {
    int batch = tensor_axis(slice->tensor, "batch");
    return batch < 0 ? 0 : slice->from[batch];
}

/* Align axis `a` of both slices, or fail and return NULL. */
static const Alignment *align(const Slice *one, const Slice *other, int a,
                              Alignments *alignments, Error *error) {
    const Tensor *tensor = one->tensor;
    const Axis *axis = &tensor->axis[a];
    const Axis *axis_other = &other->tensor->axis[a];
    if (tensor->rank != other->tensor->rank ||
        strcmp(axis->name, axis_other->name) != 0) {
        fail(error,
             "%s is %s here and %s there; only tensors of the same kind can "
             "be subtracted",
             tensor->name, shape_text(tensor).text, shape_text(other->tensor).text);
        return NULL;
    }
    const bool alike = length(one, a) == length(other, a);
    if (!alike && !is_of_tokens(axis)) {
        fail(error,
             "along the axis %s, %s has %d here and %d there, so they cannot be "
             "subtracted; --beside draws both",
             axis->name, tensor->name, length(one, a), length(other, a));
        return NULL;
    }
    const Alignment *along = alignment_of(alignments, axis_other, axis);
    if (alike && (length(one, a) == 1 || !is_of_tokens(axis) || along->alone == 0)) {
        /* Two selected positions, or two parts of the same axis, index by index. */
        Alignment *alignment = ARENA_ARRAY(alignments->arena, Alignment, 1);
        Partners *pair = ARENA_ARRAY(alignments->arena, Partners, axis->size);
        for (int i = 0; i < axis->size; i++) {
            bool chosen = i >= one->from[a] && i < one->to[a];
            pair[i] =
                (Partners){chosen ? i - one->from[a] + other->from[a] : NOWHERE, i};
        }
        *alignment = (Alignment){.pair = pair, .count = axis->size};
        return alignment;
    }
    if (!along->is_void) return along;
    fail(error,
         "along the axis %s, %s has no word in common here and there, so nothing can "
         "be subtracted; --beside draws both",
         axis->name, tensor->name);
    return NULL;
}

/* Return axis `a` of the difference, restricted to the slices. */
static Axis joined_axis(const Slice *one, const Slice *other, int a,
                        const Alignment *along, Slice *difference, Arena *arena) {
    const Axis *axis = &one->tensor->axis[a];
    const Axis *axis_other = &other->tensor->axis[a];
    const char **label = ARENA_ARRAY(arena, const char *, along->count);
    Axis joined = *axis;
    difference->from[a] = along->count;
    for (int p = 0; p < along->count; p++) {
        const Partners pair = along->pair[p];
        bool in_one = pair.after >= one->from[a] && pair.after < one->to[a];
        bool in_other = pair.before >= other->from[a] && pair.before < other->to[a];
        if (in_one || in_other) {
            if (p < difference->from[a]) difference->from[a] = p;
            difference->to[a] = p + 1;
        }
        const char *first =
            pair.after == NOWHERE ? NULL : axis_label(axis, row_of(one), pair.after);
        const char *second = pair.before == NOWHERE
                                 ? NULL
                                 : axis_label(axis_other, row_of(other), pair.before);
        label[p] = first;
        if (!axis->labels || !axis_other->labels) continue;
        if (!first)
            label[p] = arena_print(arena, "−%s", second ? second : "");
        else if (!second)
            label[p] = arena_print(arena, "+%s", first);
        else if (strcmp(first, second) != 0)
            label[p] = arena_print(arena, "%s / %s", first, second);
    }
    joined.size = along->count;
    joined.labels = axis->labels ? label : NULL;
    joined.label_rows = 1;
    return joined;
}

bool subtraction_slice(const Operand *one, const Operand *other, Arena *arena,
                       Operand *difference, Error *error) {
    const Tensor *const operand[] = {other->slice.tensor, one->slice.tensor};
    const Tensor *tensor = operand[1];
    const Alignment *along[RANK_MAX];
    Axis axis[RANK_MAX] = {0};
    int at[RANK_MAX] = {0};
    Alignments alignments = {.arena = arena,
                             .row_before = row_of(&other->slice),
                             .row_after = row_of(&one->slice)};
    *difference = (Operand){.slice = one->slice};
    for (int a = 0; a < tensor->rank; a++) {
        along[a] = align(&one->slice, &other->slice, a, &alignments, error);
        if (!along[a]) return false;
        axis[a] = joined_axis(&one->slice, &other->slice, a, along[a],
                              &difference->slice, arena);
        difference->alone += along[a]->alone;
    }
    Tensor *made = tensor_new(arena, tensor->name, tensor->rank, axis);
    made->short_name = tensor->short_name;
    made->step = STEP_NONE;
    memcpy(made->reduced, tensor->reduced, sizeof made->reduced);
    difference->slice.tensor = made;
    const bool hides = one->hidden && other->hidden;
    unsigned char *hidden = hides ? arena_take(arena, (size_t)tensor_size(made)) : NULL;
    difference->hidden = hidden;
    if (tensor_size(made) == 0) return true;
    const int last = tensor->rank - 1;
    int made_cell = 0;
    do {
        int cell[2];
        const bool both = alignment_cells(along, last, at, operand, cell);
        for (int p = 0; p < along[last]->count; p++, made_cell++) {
            const Partners pair = along[last]->pair[p];
            made->data[made_cell] = NAN;
            if (!both || pair.before == NOWHERE || pair.after == NOWHERE) continue;
            const Number a = tensor->data[cell[1] + pair.after];
            const Number b = operand[0]->data[cell[0] + pair.before];
            made->data[made_cell] = a == b ? 0 : a - b; /* both may be infinite */
            if (hidden)
                hidden[made_cell] = one->hidden[cell[1] + pair.after] &&
                                    other->hidden[cell[0] + pair.before];
        }
    } while (alignment_next(along, last, at));
    return true;
}
