#include <math.h>

#include "ops/kernels.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool add_shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    bool fits = y->rank <= x->rank;
    for (int back = 1; fits && back <= y->rank; back++)
        fits = shape_axis(x, back)->size == shape_axis(y, back)->size;
    if (!fits)
        return fail(error, "add: %s %s cannot be added to %s %s: the last axes differ",
                    y->name, shape_text(y).text, x->name, shape_text(x).text);
    return shape_as_input(step, rank, axis, error);
}

/* How often Y is added: once for each index of the axes that it lacks. */
static int repeats(const Step *step) {
    const Tensor *x = step->input[0];
    int count = 1;
    for (int a = 0; a < x->rank - step->input[1]->rank; a++) count *= x->axis[a].size;
    return count;
}

static void add_forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *y = step->input[1];
    int size = tensor_size(y);
    for (int r = 0; r < repeats(step); r++)
        kernel_add(step->output->data + r * size, step->input[0]->data + r * size,
                   y->data, size);
}

static void add_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    Tensor *y = step->input[1];
    const Number *dz = step->output->grad;
    if (x->grad)
        kernel_scale_grad(x->grad, dz, 1, tensor_grad_factor(x), tensor_size(x));
    if (y->grad)
        kernel_column_sums(y->grad, dz, tensor_grad_factor(y),
                           (Rows){repeats(step), tensor_size(y)});
}

static void add_explain(const Step *step, int cell, Arena *arena,
                        Explanation *explanation) {
    const Tensor *y = step->input[1];
    *explanation = terms_new(arena, &rule_sum, "the two numbers added", 2);
    explanation->term[0] = term_same(arena, (Place){step->input[0], cell});
    explanation->term[1] = term_same(arena, (Place){y, cell % tensor_size(y)});
}

static void scale_forward(Step *step, Arena *arena) {
    (void)arena;
    kernel_scale(step->output->data, step->input[0]->data, (Number)step->setting.number,
                 tensor_size(step->output));
}

static void scale_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (x->grad)
        kernel_scale_grad(x->grad, step->output->grad, (Number)step->setting.number,
                          tensor_grad_factor(x), tensor_size(x));
}

static void scale_explain(const Step *step, int cell, Arena *arena,
                          Explanation *explanation) {
    Place place = {step->input[0], cell};
    double factor = (double)(Number)step->setting.number;
    const char *factor_text = term_number(arena, factor);
    *explanation =
        terms_new(arena, &rule_sum, arena_print(arena, "number × %s", factor_text), 1);
    explanation->term[0] = (Term){
        term_at(place) * factor,
        arena_print(arena, "%s × %s", term_number(arena, term_at(place)), factor_text),
        {place}};
}

static void relu_forward(Step *step, Arena *arena) {
    (void)arena;
    kernel_relu(step->output->data, step->input[0]->data, tensor_size(step->output));
}

static void relu_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (x->grad)
        kernel_relu_grad(x->grad, x->data, step->output->grad, tensor_grad_factor(x),
                         tensor_size(x));
}

static void relu_explain(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    *explanation = terms_new(arena, &rule_sum, "the number, or 0 if it is negative", 1);
    explanation->term[0] =
        (Term){x < 0 ? 0 : x,
               arena_print(arena, "max(0, %s)", term_number(arena, x)),
               {place}};
}

static void gelu_forward(Step *step, Arena *arena) {
    (void)arena;
    kernel_gelu(step->output->data, step->input[0]->data, tensor_size(step->output));
}

static void gelu_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (x->grad)
        kernel_gelu_grad(x->grad, x->data, step->output->grad, tensor_grad_factor(x),
                         tensor_size(x));
}

static void gelu_explain(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    const char *text = term_number(arena, x);
    double share = erfc(-x * 0.70710678118654752440) / 2;
    *explanation = terms_new(
        arena, &rule_sum,
        "number × Φ(number): the share of a normal distribution that lies below it", 1);
    explanation->term[0] =
        (Term){x * share, arena_print(arena, "%s × Φ(%s)", text, text), {place}};
    explanation->note =
        arena_print(arena, "Φ(%s) is %s", text, term_number(arena, share));
}

const Op op_add = {
    .name = "add",
    .formula = "Z[i] = X[i] + Y[i]",
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .shape = add_shape,
    .forward = add_forward,
    .backward = add_backward,
    .explain = add_explain,
};

const Op op_scale = {
    .name = "scale",
    .formula = "Y[i] = factor X[i]",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = scale_forward,
    .backward = scale_backward,
    .explain = scale_explain,
};

const Op op_relu = {
    .name = "relu",
    .formula = "Y[i] = max(0, X[i])",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = relu_forward,
    .backward = relu_backward,
    .explain = relu_explain,
};

const Op op_gelu = {
    .name = "gelu",
    .formula = "Y[i] = X[i] Φ(X[i])",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = gelu_forward,
    .backward = gelu_backward,
    .explain = gelu_explain,
};

Tensor *add(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_add, name, (Tensor *[]){x, y}, 2, (Setting){0});
}

Tensor *scale(Tape *tape, const char *name, Tensor *x, double factor) {
    return tape_run(tape, &op_scale, name, &x, 1, (Setting){.number = factor});
}

Tensor *relu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_relu, name, &x, 1, (Setting){0});
}

Tensor *gelu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_gelu, name, &x, 1, (Setting){0});
}
