#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static inline double phi_double(double x) {
    return erfc(-x * 0.70710678118654752440) / 2;
}

/* Φ(x) for x <= 0 is exp(-x^2 / 2) times a slowly falling function, here a polynomial
 * in 1 / (1 - 0.35 x), fitted for the least relative error down to x = -14. */
static inline float phi_float(float x) {
    float a = fabsf(x);
    float u = 1 / (1 + 0.35f * a);
    float p = -0.0291457623f;
    p = p * u + 0.1439709514f;
    p = p * u - 0.2557128370f;
    p = p * u + 0.1591726989f;
    p = p * u - 0.0231089257f;
    p = p * u + 0.1055076569f;
    p = p * u + 0.1198329479f;
    p = p * u + 0.1398618668f;
    p = p * u + 0.1396214068f;
    float tail = p * u * exp_float(-0.5f * a * a);
    return x < 0 ? tail : 1 - tail;
}

#define PHI _Generic((Number)0, float : phi_float, double : phi_double)

/* y = x Φ(x), Φ(x) being the share of a normal distribution that lies below x:
 * Hendrycks and Gimpel 2016, arXiv:1606.08415. */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Number *x = step->input[0]->data;
    Number *y = step->output->data;
    int size = tensor_size(step->output);
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] * PHI(x[i]);
}

/* dx = dy (Φ(x) + x φ(x)), φ(x) = exp(-x^2 / 2) / sqrt(2 π) being the slope of Φ */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Number height = (Number)0.39894228040143267794; /* 1 / sqrt(2 π) */
    Tensor *input = step->input[0];
    if (!input->grad) return;
    const Number *x = input->data;
    const Number *dy = step->output->grad;
    Number *dx = input->grad;
    Number keep = tensor_grad_factor(input);
    int size = tensor_size(input);
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number bell = height * EXP(-x[i] * x[i] / 2);
        dx[i] = kept(keep, dx[i]) + dy[i] * (PHI(x[i]) + x[i] * bell);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    const char *text = term_number(arena, x);
    double share = phi_double(x);
    *explanation = terms_new(
        arena, &rule_sum,
        N_("number × Φ(number): the share of a normal distribution that lies below it"),
        1);
    explanation->term[0] =
        (Term){x * share, arena_print(arena, "%s × Φ(%s)", text, text), {place}};
    explanation->note = trf(arena, "Φ(%s) is %s", text, term_number(arena, share));
}

const Op op_gelu = {
    .name = "gelu",
    .formula = "$y = $0 · Φ($0)",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .code = CODE("$y = $0 / 2 * (1 + numpy.vectorize(math.erf)($0 / math.sqrt(2)))",
                 "$y = F.gelu($0)"),
    .says = N_("GELU bends the line: what is far below 0 becomes 0, what is far above "
               "stays, and between them it is smooth."),
};
