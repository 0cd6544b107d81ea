#include "base/language.h"
#include "kernel/gemm.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

typedef struct {
    int rows, in, out;
} LinearSizes;

static LinearSizes sizes(const Step *step) {
    const Tensor *x = step->input[0];
    return (LinearSizes){shape_rows(x), tensor_row(x), step->input[1]->axis[0].size};
}

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    const Tensor *weight = step->input[1];
    if (!multiply_ready(error) || !shape_rank(step->op, weight, 2, "out, in", error))
        return false;
    if (tensor_row(x) != tensor_row(weight))
        return fail(error, "linear: %s has %d numbers per row (%s) but %s takes %d",
                    x->name, tensor_row(x), shape_axis(x, 1)->name, weight->name,
                    tensor_row(weight));
    if (step->inputs > 2) {
        const Tensor *bias = step->input[2];
        if (bias->rank != 1 || bias->axis[0].size != weight->axis[0].size)
            return fail(error, "linear: %s gives %d numbers per row (%s) but %s is %s",
                        weight->name, weight->axis[0].size, weight->axis[0].name,
                        bias->name, shape_text(bias).text);
    }
    *rank = x->rank;
    for (int a = 0; a < *rank - 1; a++) axis[a] = x->axis[a];
    axis[*rank - 1] = weight->axis[0];
    return true;
}

/* Y = X W^T + b. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    LinearSizes s = sizes(step);
    const Tensor *bias = step->inputs > 2 ? step->input[2] : NULL;
    multiply_split(&(Product){.a = step->input[0]->data,
                              .b = step->input[1]->data,
                              .b_transposed = true,
                              .z = step->output->data,
                              .rows = s.rows,
                              .columns = s.out,
                              .inner = s.in,
                              .bias = bias ? bias->data : NULL});
}

/* dX = dY W, dW = dY^T X, db = sum of the rows of dY. */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    LinearSizes s = sizes(step);
    Tensor *x = step->input[0];
    Tensor *weight = step->input[1];
    Tensor *bias = step->inputs > 2 ? step->input[2] : NULL;
    const Number *dy = step->output->grad;
    if (x->grad)
        multiply_split(&(Product){.a = dy,
                                  .b = weight->data,
                                  .z = x->grad,
                                  .rows = s.rows,
                                  .columns = s.in,
                                  .inner = s.out,
                                  .keep = tensor_grad_factor(x)});
    if (weight->grad)
        multiply_split(&(Product){.a = dy,
                                  .a_transposed = true,
                                  .b = x->data,
                                  .z = weight->grad,
                                  .rows = s.out,
                                  .columns = s.in,
                                  .inner = s.rows,
                                  .keep = tensor_grad_factor(weight)});
    if (bias && bias->grad)
        vector_add_rows(bias->grad, dy, tensor_grad_factor(bias), s.rows, s.out);
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    const Tensor *weight = step->input[1];
    LinearSizes s = sizes(step);
    int row = cell / s.out;
    int o = cell % s.out;
    bool biased = step->inputs > 2;
    const char *formula = trf(
        arena,
        biased ? N_("number × its weight for output %s, summed over input %s, + bias")
               : N_("number × its weight for output %s, summed over input %s"),
        term_index(arena, &weight->axis[0], 0, o), shape_axis(x, 1)->name);
    *explanation = terms_new(arena, &rule_sum, formula, s.in + biased);
    for (int k = 0; k < s.in; k++)
        explanation->term[k] = term_product(arena, (Place){x, row * s.in + k},
                                            (Place){weight, o * s.in + k});
    if (biased)
        explanation->term[s.in] =
            (Term){(double)step->input[2]->data[o], tr("bias"), {{step->input[2], o}}};
}

static const char *formula_of(const Step *step, Arena *arena) {
    (void)arena;
    return step->inputs > 2 ? "$y = $0 · $1ᵀ + $2" : "$y = $0 · $1ᵀ";
}

/* y = W x + b: x gets the slope of y times W */
static void relevance(Back *back) {
    const Step *step = back->step;
    const Number *weight = step->input[1]->data;
    int in = tensor_row(step->input[0]);
    int out = tensor_row(step->output);
    int end = back_end_row(back, out);
    int row = back_first_row(back, out);
    Flow *x = back_open(back, 0, row * in, end * in);
    for (; row < end; row++)
        for (int o = 0; o < out; o++) {
            double slope = back_slope(back, row * out + o);
            if (slope == 0) continue;
            double *to = x->slope + (row * in - x->from);
            for (int k = 0; k < in; k++) to[k] += slope * (double)weight[o * in + k];
            if (step->inputs > 2)
                back->constant += slope * (double)step->input[2]->data[o];
        }
}

/* y[r,o] = sum of x[r,i] W[o,i] + b[o] */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    Tensor *const x = step->input[0];
    Tensor *const weight = step->input[1];
    LinearSizes s = sizes(step);
    for (int o = 0; o < s.out && input == 0; o++)
        slopes_add_factor(slopes, cell / s.in * s.out + o,
                          (Place){weight, o * s.in + cell % s.in});
    for (int r = 0; r < s.rows && input == 1; r++)
        slopes_add_factor(slopes, r * s.out + cell / s.in,
                          (Place){x, r * s.in + cell % s.in});
    for (int r = 0; r < s.rows && input == 2; r++)
        slopes_add(slopes, r * s.out + cell, 1);
}

static bool has_bias(const Step *step) {
    return step->inputs > 2;
}

static const Code code[] = {
    {has_bias, {"$y = $0 @ $1.T + $2", "$y = F.linear($0, $1, $2)"}},
    {NULL, {"$y = $0 @ $1.T", "$y = F.linear($0, $1)"}},
    {0},
};

const Op op_linear = {
    .name = "linear",
    .formula = "$y = $0 · $1ᵀ + $2",
    .formula_of = formula_of,
    .inputs_min = 2,
    .inputs_max = 3,
    .learned = 7,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .slopes = slopes,
    .code = code,
};

Tensor *linear(Tape *tape, const char *name, Tensor *x, const Linear *layer) {
    return tape_run(tape, &op_linear, name, (Tensor *[]){x, layer->weight, layer->bias},
                    layer->bias ? 3 : 2, (Setting){0});
}
