#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* c' = f c + i g, elementwise */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *f = step->input[0]->data;
    const Number *c = step->input[1]->data;
    const Number *i = step->input[2]->data;
    const Number *g = step->input[3]->data;
    Number *next = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int n = 0; n < size; n++) next[n] = f[n] * c[n] + i[n] * g[n];
}

/* dx = dc' times the other factor of x */
static void backward_factor(const Step *step, Tensor *x, const Tensor *with) {
    if (x->grad)
        vector_add_products(x->grad, step->output->grad, with->data,
                            tensor_grad_factor(x), tensor_size(x));
}

/* df = dc' c, dc = dc' f, di = dc' g, dg = dc' i */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *forget = step->input[0];
    Tensor *before = step->input[1];
    Tensor *input = step->input[2];
    Tensor *fresh = step->input[3];
    backward_factor(step, forget, before);
    backward_factor(step, before, forget);
    backward_factor(step, input, fresh);
    backward_factor(step, fresh, input);
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    *explanation = terms_new(
        arena, &rule_sum,
        N_("forget gate × the previous cell + input gate × the new value"), 2);
    for (int t = 0; t < 2; t++)
        explanation->term[t] = term_product(arena, (Place){step->input[2 * t], cell},
                                            (Place){step->input[2 * t + 1], cell});
}

/* The gates are treated as constants. */
static void relevance(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        for (int gate = 0; gate <= 2; gate += 2) {
            double slope =
                back->flow->slope[i] * (double)back->step->input[gate]->data[cell];
            if (slope != 0) back_pass(back, gate + 1, cell, slope);
        }
    }
}

const Op op_lstm_cell = {
    .name = "lstm_cell",
    .formula = "$y = $0 · $1 + $2 · $3",
    .inputs_min = 4,
    .inputs_max = 4,
    .learned = 15,
    .shape = shape_all_alike,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = CODE("$y = $0 * $1 + $2 * $3", "$y = $0 * $1 + $2 * $3"),
};

Tensor *lstm_cell(Tape *tape, const char *name, Tensor *forget, Tensor *before,
                  Tensor *input, Tensor *fresh) {
    return tape_run(tape, &op_lstm_cell, name,
                    (Tensor *[]){forget, before, input, fresh}, 4, (Setting){0});
}
