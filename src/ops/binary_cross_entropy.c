#include <math.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *logits = step->input[0];
    const Tensor *expected = step->input[1];
    if (logits->rank != 2 || expected->rank != 1 || tensor_row(logits) != 1 ||
        logits->axis[0].size != expected->axis[0].size)
        return fail(error,
                    "binary_cross_entropy: %s %s must have one number for each of %s "
                    "%s",
                    logits->name, shape_text(logits).text, expected->name,
                    shape_text(expected).text);
    if (!(step->setting.number >= 0 && step->setting.number <= 1))
        return fail(error,
                    "binary_cross_entropy: smoothing must be from 0 to 1, but it is %g",
                    step->setting.number);
    *rank = 1;
    axis[0] = (Axis){.name = "loss", .size = 1};
    return shape_ids(step->op, expected, logits, 2, NAN, error);
}

/* The label of the sigmoid, moved toward 1/2 by label smoothing. */
static double expected_of(const Step *step, int row) {
    double smoothing = step->setting.number;
    return (1 - smoothing) * (double)step->input[1]->data[row] + smoothing / 2;
}

/* -y log σ(x) - (1 - y) log(1 - σ(x)), written so that no exp overflows */
static double loss_of_row(const Step *step, int row) {
    double x = (double)step->input[0]->data[row];
    return fmax(x, 0) - expected_of(step, row) * x + log1p(exp(-fabs(x)));
}

/* loss = mean over the rows */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int rows = tensor_size(step->input[1]);
    double total = 0;
    for (int row = 0; row < rows; row++) total += loss_of_row(step, row);
    step->output->data[0] = (Number)(rows > 0 ? total / rows : 0);
}

/* dx = (σ(x) - label) / number of rows */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *logits = step->input[0];
    int rows = tensor_size(step->input[1]);
    if (!logits->grad) return;
    tensor_begin_grad(logits);
    for (int row = 0; row < rows; row++) {
        double said = 1 / (1 + exp(-(double)logits->data[row]));
        double slope = (said - expected_of(step, row)) / rows;
        logits->grad[row] += step->output->grad[0] * (Number)slope;
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    (void)cell;
    const Tensor *expected = step->input[1];
    int rows = tensor_size(expected);
    *explanation = terms_new(
        arena, rows > 0 ? &rule_mean : &rule_sum,
        trf(arena, "-log of the probability of the correct label, averaged over %d",
            rows),
        rows);
    for (int row = 0; row < rows; row++) {
        double loss = loss_of_row(step, row);
        explanation->term[row] =
            (Term){loss,
                   arena_print(arena, "-log %s", term_number(arena, exp(-loss))),
                   {{expected, row}, {step->input[0], row}}};
    }
    if (step->setting.number > 0)
        explanation->note =
            trf(arena, "smoothed: the correct label counts %g, the other %g",
                1 - step->setting.number / 2, step->setting.number / 2);
}

const Op op_binary_cross_entropy = {
    .name = "binary_cross_entropy",
    .formula = N_(
        "$y = mean over the sentences of −log σ($0) if $1 is 1, else −log(1 − σ($0))"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 1,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE_NONE,
};

Tensor *binary_cross_entropy(Tape *tape, const char *name, Tensor *logits,
                             Tensor *expected, double smoothing) {
    return tape_run(tape, &op_binary_cross_entropy, name,
                    (Tensor *[]){logits, expected}, 2, (Setting){.number = smoothing});
}
