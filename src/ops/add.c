#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
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

/* Return how many times Y is added: once per index of the axes that it lacks. */
static int repeats(const Step *step) {
    const Tensor *x = step->input[0];
    int count = 1;
    for (int a = 0; a < x->rank - step->input[1]->rank; a++) count *= x->axis[a].size;
    return count;
}

/* z = x + y, for each repeat of y */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    const Number *y = step->input[1]->data;
    Number *z = step->output->data;
    int size = tensor_size(step->input[1]);
    for (int r = 0, count = repeats(step); r < count; r++, x += size, z += size) {
#pragma omp simd
        for (int i = 0; i < size; i++) z[i] = x[i] + y[i];
    }
}

/* dx = dz, dy = the sum of dz over the repeats of y */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    Tensor *y = step->input[1];
    const Number *dz = step->output->grad;
    if (x->grad) vector_add(x->grad, dz, 1, tensor_grad_factor(x), tensor_size(x));
    if (y->grad)
        vector_add_rows(y->grad, dz, tensor_grad_factor(y), repeats(step),
                        tensor_size(y));
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *y = step->input[1];
    *explanation = terms_new(arena, &rule_sum, N_("the sum of the two numbers"), 2);
    explanation->term[0] = term_same(arena, (Place){step->input[0], cell});
    explanation->term[1] = term_same(arena, (Place){y, cell % tensor_size(y)});
}

static void relevance(Back *back) {
    const Flow *flow = back->flow;
    int size = tensor_size(back->step->input[1]);
    flow_add(&back->into[0],
             &(Flow){back->step->input[0], flow->from, flow->count, flow->slope},
             back->arena);
    for (int i = 0; i < flow->count; i++)
        if (flow->slope[i] != 0)
            back_pass(back, 1, (flow->from + i) % size, flow->slope[i]);
}

static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    int size = tensor_size(step->input[input]);
    for (int j = cell; j < tensor_size(step->output); j += size)
        slopes_add(slopes, j, 1);
}

const Op op_add = {
    .name = "add",
    .formula = "$y = $0 + $1",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .slopes = slopes,
    .code = CODE("$y = $0 + $1", "$y = $0 + $1"),
};

Tensor *add(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_add, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
