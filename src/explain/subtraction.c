#include "explain/subtraction.h"

#include <math.h>
#include <string.h>

static int length(const Slice *slice, int a) {
    return slice->to[a] - slice->from[a];
}

static bool check_axes(const Slice *slice, const Slice *other, Error *error) {
    const Tensor *a = slice->tensor;
    const Tensor *b = other->tensor;
    if (a->rank != b->rank)
        return fail(error, "%s is %s here and %s there: only alike can be subtracted",
                    a->name, shape_text(a).text, shape_text(b).text);
    for (int i = 0; i < a->rank; i++) {
        if (strcmp(a->axis[i].name, b->axis[i].name) != 0)
            return fail(error,
                        "%s is %s here and %s there: only alike can be subtracted",
                        a->name, shape_text(a).text, shape_text(b).text);
        if (length(slice, i) != length(other, i))
            return fail(error,
                        "along the axis %s, %s has %d here and %d there: that cannot "
                        "be subtracted, but --beside draws both",
                        a->axis[i].name, a->name, length(slice, i), length(other, i));
    }
    return true;
}

/* The cells of both, in their order: those of the i-th place. */
static void cells_at(const Slice *slice, const Slice *other, int i, int *cell,
                     int *cell_other) {
    *cell = *cell_other = 0;
    for (int a = slice->tensor->rank - 1; a >= 0; a--) {
        int index = i % length(slice, a);
        i /= length(slice, a);
        *cell += (slice->from[a] + index) * tensor_stride(slice->tensor, a);
        *cell_other += (other->from[a] + index) * tensor_stride(other->tensor, a);
    }
}

static int row_of(const Slice *slice) {
    int batch = tensor_axis(slice->tensor, "batch");
    return batch < 0 ? 0 : slice->from[batch];
}

/* What is along axis `a` of both. */
static const char *const *both_labels(const Slice *slice, const Slice *other, int a,
                                      Arena *arena) {
    const Axis *axis = &slice->tensor->axis[a];
    const Axis *axis_other = &other->tensor->axis[a];
    const char **label = ARENA_ARRAY(arena, const char *, axis->size);
    int row = row_of(slice);
    if (!axis->labels) return NULL;
    for (int i = 0; i < axis->size; i++) {
        label[i] = axis_label(axis, row, i);
        if (i < slice->from[a] || i >= slice->to[a]) continue;
        int there = other->from[a] + i - slice->from[a];
        const char *second = axis_label(axis_other, row_of(other), there);
        if (second && strcmp(label[i], second) != 0)
            label[i] = arena_print(arena, "%s / %s", label[i], second);
    }
    return label;
}

bool subtraction_slice(const Slice *slice, const Slice *other, Arena *arena,
                       Slice *difference, Error *error) {
    if (!check_axes(slice, other, error)) return false;
    const Tensor *tensor = slice->tensor;
    Axis axis[RANK_MAX] = {0};
    for (int a = 0; a < tensor->rank; a++) {
        axis[a] = tensor->axis[a];
        axis[a].labels = both_labels(slice, other, a, arena);
        axis[a].label_rows = 1;
    }
    Tensor *made = tensor_new(arena, tensor->name, tensor->rank, axis);
    made->short_name = tensor->short_name;
    made->step = STEP_NONE;
    memcpy(made->reduced, tensor->reduced, sizeof made->reduced);
    for (int cell = 0; cell < tensor_size(made); cell++) made->data[cell] = NAN;
    for (int i = 0; i < slice_size(slice); i++) {
        int cell;
        int cell_other;
        cells_at(slice, other, i, &cell, &cell_other);
        Number a = tensor->data[cell];
        Number b = other->tensor->data[cell_other];
        made->data[cell] = a == b ? 0 : a - b; /* both may be infinite */
    }
    *difference = *slice;
    difference->tensor = made;
    return true;
}

const unsigned char *subtraction_hidden(const Slice *slice, const unsigned char *hidden,
                                        const Slice *other,
                                        const unsigned char *hidden_other,
                                        Arena *arena) {
    if (!hidden || !hidden_other) return NULL;
    unsigned char *both = arena_take(arena, (size_t)tensor_size(slice->tensor));
    bool any = false;
    for (int i = 0; i < slice_size(slice); i++) {
        int cell;
        int cell_other;
        cells_at(slice, other, i, &cell, &cell_other);
        both[cell] = hidden[cell] && hidden_other[cell_other];
        any = any || both[cell];
    }
    return any ? both : NULL;
}

static const char *const *copy_labels(const Axis *axis, Arena *arena) {
    if (!axis->labels) return NULL;
    int count = axis->size * axis->label_rows;
    const char **label = ARENA_ARRAY(arena, const char *, count);
    for (int i = 0; i < count; i++)
        label[i] = axis->labels[i] ? arena_print(arena, "%s", axis->labels[i]) : NULL;
    return label;
}

Slice subtraction_copy(const Slice *slice, Arena *arena) {
    const Tensor *tensor = slice->tensor;
    const char *name = arena_print(arena, "%s", tensor->name);
    Axis axis[RANK_MAX] = {0};
    for (int a = 0; a < tensor->rank; a++) {
        axis[a] = tensor->axis[a];
        axis[a].name = arena_print(arena, "%s", tensor->axis[a].name);
        axis[a].labels = copy_labels(&tensor->axis[a], arena);
        axis[a].names = NULL; /* the model's, which may go */
    }
    Tensor *made = tensor_new(arena, name, tensor->rank, axis);
    made->short_name = name + (tensor->short_name - tensor->name);
    made->holds_ids = tensor->holds_ids;
    made->step = STEP_NONE;
    memcpy(made->reduced, tensor->reduced, sizeof made->reduced);
    memcpy(made->data, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
    Slice copy = *slice;
    copy.tensor = made;
    return copy;
}
