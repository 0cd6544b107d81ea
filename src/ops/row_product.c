#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    if (!shape_all_alike(step, rank, axis, error)) return false;
    if (*rank < 2)
        return fail(error, "row_product: %s %s must have two axes or more",
                    step->input[0]->name, shape_text(step->input[0]).text);
    --*rank;
    return true;
}

/* z[i] = sum over k of X[i,k] Y[i,k] */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int width = tensor_row(step->input[0]);
    for (int i = 0; i < tensor_size(step->output); i++) {
        const Number *x = step->input[0]->data + i * width;
        const Number *y = step->input[1]->data + i * width;
        double sum = 0;
        for (int k = 0; k < width; k++) sum += (double)x[k] * (double)y[k];
        step->output->data[i] = (Number)sum;
    }
}

/* dX[i,k] = dz[i] Y[i,k], and vice versa */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    int width = tensor_row(step->input[0]);
    for (int n = 0; n < 2; n++) {
        Tensor *x = step->input[n];
        const Tensor *y = step->input[1 - n];
        if (!x->grad) continue;
        tensor_begin_grad(x);
        for (int cell = 0; cell < tensor_size(x); cell++)
            x->grad[cell] += step->output->grad[cell / width] * y->data[cell];
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    int width = tensor_row(x);
    const char *formula = trf(arena, "%s × %s, summed over %s", x->short_name,
                              y->short_name, shape_axis(x, 1)->name);
    *explanation = terms_new(arena, &rule_sum, formula, width);
    for (int k = 0; k < width; k++)
        explanation->term[k] = term_product(arena, (Place){x, cell * width + k},
                                            (Place){y, cell * width + k});
}

const Op op_row_product = {
    .name = "row_product",
    .formula = N_("$y = sum of $0 × $1, row by row"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE_NONE,
};

Tensor *row_product(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_row_product, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
