#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* z = x y */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    const Number *y = step->input[1]->data;
    Number *z = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int i = 0; i < size; i++) z[i] = x[i] * y[i];
}

/* dx = dz y, dy = dz x */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    for (int n = 0; n < 2; n++) {
        Tensor *x = step->input[n];
        if (x->grad)
            vector_add_products(x->grad, step->output->grad, step->input[1 - n]->data,
                                tensor_grad_factor(x), tensor_size(x));
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    *explanation = terms_new(arena, &rule_sum, N_("the product of the two numbers"), 1);
    explanation->term[0] = term_product(arena, (Place){step->input[0], cell},
                                        (Place){step->input[1], cell});
}

/* Each factor gets half of the product. */
static void relevance(Back *back) {
    const Flow *flow = back->flow;
    for (int i = 0; i < flow->count; i++) {
        int cell = flow->from + i;
        if (flow->slope[i] == 0) continue;
        for (int n = 0; n < 2; n++)
            back_pass(back, n, cell,
                      flow->slope[i] / 2 *
                          (double)back->step->input[1 - n]->data[cell]);
    }
}

static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    slopes_add_factor(slopes, cell, (Place){step->input[1 - input], cell});
}

const Op op_multiply = {
    .name = "multiply",
    .formula = "$y = $0 × $1",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape_all_alike,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .slopes = slopes,
    .code = CODE("$y = $0 * $1", "$y = $0 * $1"),
};

Tensor *multiply(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_multiply, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
