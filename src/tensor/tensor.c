#include "tensor/tensor.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Tensor *tensor_new(Arena *arena, const char *name, int rank, const Axis *axis) {
    assert(rank >= 1 && rank <= RANK_MAX);
    Tensor *tensor = ARENA_ARRAY(arena, Tensor, 1);
    tensor->name = tensor->short_name = name;
    tensor->rank = rank;
    tensor->step = STEP_NONE;
    for (int a = 0; a < rank; a++) tensor->axis[a] = axis[a];
    tensor->data = arena_take_raw(arena, (size_t)tensor_size(tensor) * sizeof(Number));
    return tensor;
}

int tensor_size(const Tensor *tensor) {
    int size = 1;
    for (int a = 0; a < tensor->rank; a++) size *= tensor->axis[a].size;
    return size;
}

int tensor_row(const Tensor *tensor) {
    return tensor->axis[tensor->rank - 1].size;
}

bool tensor_same_shape(const Tensor *a, const Tensor *b) {
    if (a->rank != b->rank) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->axis[i].size != b->axis[i].size) return false;
    return true;
}

int tensor_stride(const Tensor *tensor, int a) {
    int stride = 1;
    for (int later = a + 1; later < tensor->rank; later++)
        stride *= tensor->axis[later].size;
    return stride;
}

int tensor_index(const Tensor *tensor, int a, int cell) {
    return cell / tensor_stride(tensor, a) % tensor->axis[a].size;
}

int tensor_cell(const Tensor *tensor, const int *index) {
    int cell = 0;
    for (int a = 0; a < tensor->rank; a++)
        cell = cell * tensor->axis[a].size + index[a];
    return cell;
}

int tensor_axis(const Tensor *tensor, const char *name) {
    for (int a = 0; a < tensor->rank; a++)
        if (strcmp(tensor->axis[a].name, name) == 0) return a;
    return -1;
}

void tensor_name_axis(Tensor *tensor, int a, const char *name) {
    if (tensor) tensor->axis[a].name = name;
}

const char *axis_label(const Axis *axis, int row, int index) {
    if (!axis->labels) return NULL;
    return axis->labels[(axis->label_rows > 1 ? row : 0) * axis->size + index];
}

bool axis_labels_differ(const Axis *axis, int from, int to) {
    if (!axis->labels || axis->label_rows < 2) return false;
    for (int row = from + 1; row < to; row++)
        for (int i = 0; i < axis->size; i++)
            if (strcmp(axis_label(axis, row, i), axis_label(axis, from, i)) != 0)
                return true;
    return false;
}

ShapeText shape_text(const Tensor *tensor) {
    ShapeText shape = {"["};
    size_t length = 1;
    for (int a = 0; a < tensor->rank && length < sizeof shape.text; a++) {
        char *end = shape.text + length;
        size_t room = sizeof shape.text - length;
        const Axis *axis = &tensor->axis[a];
        const char *comma = a ? ", " : "";
        length += (size_t)(tensor->reduced[a] ? snprintf(end, room, "%s%s=%s", comma,
                                                         axis->name, tensor->reduced[a])
                                              : snprintf(end, room, "%s%s %d", comma,
                                                         axis->name, axis->size));
    }
    if (length < sizeof shape.text)
        snprintf(shape.text + length, sizeof shape.text - length, "]");
    return shape;
}

const char *tensor_describe(const Tensor *tensor, Arena *arena) {
    return arena_print(arena, "%s %s", tensor->name, shape_text(tensor).text);
}

double tensor_printed(double number) {
    return isnan(number) ? (double)NAN : number;
}

Number tensor_grad_factor(Tensor *tensor) {
    Number factor = tensor->grad_written;
    tensor->grad_written = true;
    return factor;
}

void tensor_begin_grad(Tensor *tensor) {
    if (tensor_grad_factor(tensor) == 0)
        memset(tensor->grad, 0, (size_t)tensor_size(tensor) * sizeof *tensor->grad);
}
