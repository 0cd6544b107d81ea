#include "ops/shape.h"

static int product(const Tensor *tensor, int axes) {
    int size = 1;
    for (int a = 0; a < axes; a++) size *= tensor->axis[a].size;
    return size;
}

int shape_rows(const Tensor *tensor) {
    return product(tensor, tensor->rank - 1);
}

int shape_matrices(const Tensor *tensor) {
    return product(tensor, tensor->rank - 2);
}

const Axis *shape_axis(const Tensor *tensor, int back) {
    return &tensor->axis[tensor->rank - back];
}

bool shape_as_input(const Step *step, int *rank, Axis *axis, Error *error) {
    (void)error;
    *rank = step->input[0]->rank;
    for (int a = 0; a < *rank; a++) axis[a] = step->input[0]->axis[a];
    return true;
}

bool shape_rank(const Op *op, const Tensor *tensor, int rank, const char *expected,
                Error *error) {
    return tensor->rank == rank ||
           fail(error, "%s: %s %s must have the axes %s", op->name, tensor->name,
                shape_text(tensor).text, expected);
}

bool shape_all_alike(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *first = step->input[0];
    for (int n = 1; n < step->inputs; n++) {
        const Tensor *x = step->input[n];
        bool same = x->rank == first->rank;
        for (int a = 0; same && a < x->rank; a++)
            same = x->axis[a].size == first->axis[a].size;
        if (!same)
            return fail(error, "%s: %s %s and %s %s must have the same shape",
                        step->op->name, first->name, shape_text(first).text, x->name,
                        shape_text(x).text);
    }
    return shape_as_input(step, rank, axis, error);
}

bool shape_factor(const Step *step, int i, Error *error) {
    const Tensor *x = step->input[0];
    const Tensor *factor = step->input[i];
    return (factor->rank == 1 && factor->axis[0].size == tensor_row(x)) ||
           fail(error, "%s: %s has %d numbers per row (%s) but %s is %s",
                step->op->name, x->name, tensor_row(x), shape_axis(x, 1)->name,
                factor->name, shape_text(factor).text);
}

bool shape_of_sentences(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    if (!shape_rank(step->op, x, 3, "batch, token, feature", error)) return false;
    if (step->inputs > 1) {
        const Tensor *padding = step->input[1];
        if (!shape_rank(step->op, padding, 2, "batch, token", error)) return false;
        if (padding->axis[0].size != x->axis[0].size ||
            padding->axis[1].size != x->axis[1].size)
            return fail(error, "%s: %s %s must agree in batch and token with %s %s",
                        step->op->name, padding->name, shape_text(padding).text,
                        x->name, shape_text(x).text);
    }
    *rank = 2;
    axis[0] = x->axis[0];
    axis[1] = x->axis[2];
    return true;
}

bool shape_ids(const Op *op, const Tensor *ids, const Tensor *table, int entries,
               double except, Error *error) {
    for (int i = 0; i < tensor_size(ids); i++) {
        double id = (double)ids->data[i];
        bool chooses = id >= 0 && id < entries && id == (double)(int)id;
        if (!chooses && id != except)
            return fail(error,
                        "%s: number %d of %s is %g, but %s takes whole numbers "
                        "from 0 to %d",
                        op->name, i, ids->name, id, table->name, entries - 1);
    }
    return true;
}
