#include "ops/kernels.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    for (int i = 1; i < 3; i++) {
        const Tensor *factor = step->input[i];
        if (factor->rank != 1 || factor->axis[0].size != tensor_row(x))
            return fail(error,
                        "layer_norm: %s has %d numbers per row (%s) but %s is %s",
                        x->name, tensor_row(x), shape_axis(x, 1)->name, factor->name,
                        shape_text(factor).text);
    }
    return shape_as_input(step, rank, axis, error);
}

static RowNorm norm(const Step *step) {
    const Tensor *x = step->input[0];
    return (RowNorm){.x = x->data,
                     .gain = step->input[1]->data,
                     .bias = step->input[2]->data,
                     .kept = step->kept,
                     .epsilon = step->setting.number,
                     .rows = {shape_rows(x), tensor_row(x)}};
}

static void forward(Step *step, Arena *arena) {
    if (!step->kept)
        step->kept = ARENA_ARRAY(arena, Number, 2 * shape_rows(step->input[0]));
    RowNorm n = norm(step);
    kernel_norm(step->output->data, &n);
}

static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    Tensor *gain = step->input[1];
    Tensor *bias = step->input[2];
    const Number *dy = step->output->grad;
    RowNorm n = norm(step);
    if (x->grad) kernel_norm_grad(x->grad, &n, dy, tensor_grad_factor(x));
    if (gain->grad) kernel_gain_grad(gain->grad, &n, dy, tensor_grad_factor(gain));
    if (bias->grad)
        kernel_column_sums(bias->grad, dy, tensor_grad_factor(bias), n.rows);
}

static double mean_of(const Number *row, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)row[i];
    return sum / size;
}

static double variance_of(const Number *row, int size, double mean) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += ((double)row[i] - mean) * ((double)row[i] - mean);
    return sum / size;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    int i = cell % size;
    const Number *row = x->data + cell - i;
    double mean = mean_of(row, size);
    double variance = variance_of(row, size, mean);
    const char *formula = arena_print(
        arena, "(x - mean) / √(variance + ε) × gain + bias, mean and variance along %s",
        shape_axis(x, 1)->name);
    *explanation = terms_new(arena, &rule_norm, formula, NORM_TERMS);
    Term *term = explanation->term;
    Place number = {x, cell};
    Place gain = {step->input[1], i};
    Place bias = {step->input[2], i};
    term[NORM_X] = (Term){term_at(number), "x, the number itself", {number}};
    term[NORM_MEAN] = (Term){
        mean, arena_print(arena, "mean of the %d numbers of the row", size), {{0}}};
    term[NORM_VARIANCE] =
        (Term){variance,
               arena_print(arena, "variance of the %d numbers of the row", size),
               {{0}}};
    term[NORM_EPSILON] =
        (Term){step->setting.number, "ε, which keeps the root from being 0", {{0}}};
    term[NORM_GAIN] = (Term){term_at(gain), "gain", {gain}};
    term[NORM_BIAS] = (Term){term_at(bias), "bias", {bias}};
}

const Op op_layer_norm = {
    .name = "layer_norm",
    .formula = "Y[i] = (X[i] - mean) / sqrt(variance + epsilon) gain[i] + bias[i]",
    .inputs_least = 3,
    .inputs_most = 3,
    .learned = 7,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
};

Tensor *layer_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm) {
    return tape_run(tape, &op_layer_norm, name, (Tensor *[]){x, norm->gain, norm->bias},
                    3, (Setting){.number = norm->epsilon});
}
