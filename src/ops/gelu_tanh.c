#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* u(x) = sqrt(2 / π) (x + 0.044715 x^3) */
static inline Number bent(Number x) {
    const Number root = (Number)0.79788456080286535588; /* sqrt(2 / π) */
    return root * (x + (Number)0.044715 * x * x * x);
}

/* y = x (1 + tanh u(x)) / 2, which is close to x Φ(x): Hendrycks and Gimpel 2016,
 * arXiv:1606.08415, section 2. */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    Number *y = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] / 2 * (1 + TANH(bent(x[i])));
}

/* dx = dy ((1 + t) / 2 + x (1 - t^2) u'(x) / 2), t = tanh u(x) */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Number root = (Number)0.79788456080286535588;
    const Number cubic = (Number)(3 * 0.044715);
    Tensor *input = step->input[0];
    if (!input->grad) return;
    const Number *x = input->data;
    const Number *dy = step->output->grad;
    Number *dx = input->grad;
    Number keep = tensor_grad_factor(input);
    int size = tensor_size(input);
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number t = TANH(bent(x[i]));
        Number slope = root * (1 + cubic * x[i] * x[i]);
        dx[i] = kept(keep, dx[i]) + dy[i] / 2 * (1 + t + x[i] * (1 - t * t) * slope);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    const char *text = term_number(arena, x);
    double u = 0.79788456080286535588 * (x + 0.044715 * x * x * x);
    double share = (1 + tanh(u)) / 2;
    *explanation = terms_new(
        arena, &rule_sum,
        N_("number × (1 + tanh u) / 2, u = √(2/π) (number + 0.044715 number³)"), 1);
    explanation->term[0] =
        (Term){x * share,
               arena_print(arena, "%s × %s", text, term_number(arena, share)),
               {place}};
    explanation->note = trf(arena, "u is %s, (1 + tanh u) / 2 is %s",
                            term_number(arena, u), term_number(arena, share));
}

const Op op_gelu_tanh = {
    .name = "gelu_tanh",
    .formula = "$y = $0 · (1 + tanh(√(2/π) ($0 + 0.044715 $0³))) / 2",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .code = CODE("$y = $0 / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * ($0 + "
                 "0.044715 * $0 ** 3)))",
                 "$y = F.gelu($0, approximate='tanh')"),
    .says = N_(
        "This GELU, written with tanh as GPT-2 has it, bends the line: what is far "
        "below 0 becomes 0, what is far above stays, and between them it is smooth."),
};
