#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* y = x σ(x), σ(x) = 1 / (1 + exp(-x)): Elfwing, Uchibe and Doya 2017,
 * arXiv:1702.03118.
 */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    Number *y = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] / (1 + EXP(-x[i]));
}

/* dx = dy σ(x) (1 + x (1 - σ(x))) */
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
        Number share = 1 / (1 + EXP(-x[i]));
        dx[i] = kept(keep, dx[i]) + dy[i] * share * (1 + x[i] * (1 - share));
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    const char *text = term_number(arena, x);
    double share = 1 / (1 + exp(-x));
    *explanation =
        terms_new(arena, &rule_sum, N_("number × σ(number), a share from 0 to 1"), 1);
    explanation->term[0] =
        (Term){x * share, arena_print(arena, "%s × σ(%s)", text, text), {place}};
    explanation->note = trf(arena, "σ(%s) is %s", text, term_number(arena, share));
}

const Op op_silu = {
    .name = "silu",
    .formula = "$y = $0 · σ($0)",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .code = CODE("$y = $0 / (1 + numpy.exp(-$0))", "$y = F.silu($0)"),
    .says = N_("SiLU bends the line: what is far below 0 becomes 0, what is far above "
               "stays, and between them it is smooth and dips a little below 0."),
};
