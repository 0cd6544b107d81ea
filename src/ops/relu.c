#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* y = max(0, x) */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    Number *y = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] < 0 ? 0 : x[i];
}

/* dx = dy where x > 0, else 0 */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *input = step->input[0];
    if (!input->grad) return;
    const Number *x = input->data;
    const Number *dy = step->output->grad;
    Number *dx = input->grad;
    Number keep = tensor_grad_factor(input);
    int size = tensor_size(input);
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number passing = dy[i];
        dx[i] = kept(keep, dx[i]) + (x[i] > 0 ? passing : 0);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    *explanation =
        terms_new(arena, &rule_sum, N_("the number, or 0 if it is negative"), 1);
    explanation->term[0] =
        (Term){x < 0 ? 0 : x,
               arena_print(arena, "max(0, %s)", term_number(arena, x)),
               {place}};
}

const Op op_relu = {
    .name = "relu",
    .formula = "$y = max(0, $0)",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .code = CODE("$y = numpy.maximum($0, 0)", "$y = torch.relu($0)"),
    .says = N_("ReLU bends the line: what is negative becomes 0."),
};
