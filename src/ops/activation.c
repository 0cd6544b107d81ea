#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* For an activation f: f(x), and dx = dy f'(x). */

/* max(0, x) */
static inline Number relu(Number x) {
    return x < 0 ? 0 : x;
}

static inline Number relu_back(Number x, Number dy) {
    return x > 0 ? dy : 0;
}

static inline double phi_double(double x) {
    return erfc(-x * 0.70710678118654752440) / 2;
}

/* For x <= 0, Φ(x) is exp(-x^2 / 2) times a slowly decreasing function, here a
 * polynomial in 1 / (1 - 0.35 x), fitted to minimize the relative error down to x =
 * -14. */
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

/* x Φ(x), where Φ is the standard normal distribution function: Hendrycks and Gimpel
 * 2016, arXiv:1606.08415. */
static inline Number gelu(Number x) {
    return x * PHI(x);
}

/* Φ(x) + x φ(x), where φ(x) = exp(-x^2 / 2) / sqrt(2 π) is the derivative of Φ */
static inline Number gelu_back(Number x, Number dy) {
    const Number height = (Number)0.39894228040143267794; /* 1 / sqrt(2 π) */
    return dy * (PHI(x) + x * height * EXP(-x * x / 2));
}

/* u(x) = sqrt(2 / π) (x + 0.044715 x^3) */
#define ROOT 0.79788456080286535588
#define CUBIC 0.044715

/* x (1 + tanh u(x)) / 2, an approximation of x Φ(x): Hendrycks and Gimpel 2016, section
 * 2. */
static inline Number gelu_tanh(Number x) {
    return x / 2 * (1 + TANH((Number)ROOT * (x + (Number)CUBIC * x * x * x)));
}

/* (1 + t) / 2 + x (1 - t^2) u'(x) / 2, where t = tanh u(x) */
static inline Number gelu_tanh_back(Number x, Number dy) {
    Number t = TANH((Number)ROOT * (x + (Number)CUBIC * x * x * x));
    Number slope = (Number)ROOT * (1 + (Number)(3 * CUBIC) * x * x);
    return dy / 2 * (1 + t + x * (1 - t * t) * slope);
}

/* x σ(x), σ(x) = 1 / (1 + exp(-x)): Elfwing, Uchibe and Doya 2017, arXiv:1702.03118. */
static inline Number silu(Number x) {
    return x / (1 + EXP(-x));
}

/* σ(x) (1 + x (1 - σ(x))) */
static inline Number silu_back(Number x, Number dy) {
    Number share = 1 / (1 + EXP(-x));
    return dy * share * (1 + x * (1 - share));
}

#define LOOPS(curve)                                                                   \
    CLONES static void forward_##curve(Step *step, Arena *arena) {                     \
        (void)arena;                                                                   \
        const Number *x = step->input[0]->data;                                        \
        Number *y = step->output->data;                                                \
        int size = tensor_size(step->output);                                          \
        _Pragma("omp simd") for (int i = 0; i < size; i++) y[i] = curve(x[i]);         \
    }                                                                                  \
    CLONES static void backward_##curve(const Step *step, Arena *scratch) {            \
        (void)scratch;                                                                 \
        Tensor *input = step->input[0];                                                \
        if (!input->grad) return;                                                      \
        const Number *x = input->data;                                                 \
        const Number *dy = step->output->grad;                                         \
        Number *dx = input->grad;                                                      \
        Number keep = tensor_grad_factor(input);                                       \
        int size = tensor_size(input);                                                 \
        _Pragma("omp simd") for (int i = 0; i < size; i++) dx[i] =                     \
            kept(keep, dx[i]) + curve##_back(x[i], dy[i]);                             \
    }

ACTIVATIONS(LOOPS)

/* One term: the number times `factor`, which is printed as `written`. */
static Term product_term(const Step *step, int cell, double factor, const char *written,
                         Arena *arena) {
    Place place = {step->input[0], cell};
    double x = term_at(place);
    return (Term){x * factor,
                  arena_print(arena, "%s × %s", term_number(arena, x), written),
                  {place}};
}

static void explain_relu(const Step *step, int cell, Arena *arena,
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

static void explain_gelu(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    double x = term_at((Place){step->input[0], cell});
    const char *text = term_number(arena, x);
    *explanation = terms_new(
        arena, &rule_sum,
        N_("number × Φ(number): the fraction of a normal distribution below it"), 1);
    explanation->term[0] = product_term(step, cell, phi_double(x),
                                        arena_print(arena, "Φ(%s)", text), arena);
    explanation->note =
        trf(arena, "Φ(%s) is %s", text, term_number(arena, phi_double(x)));
}

static void explain_gelu_tanh(const Step *step, int cell, Arena *arena,
                              Explanation *explanation) {
    double x = term_at((Place){step->input[0], cell});
    double u = ROOT * (x + CUBIC * x * x * x);
    double share = (1 + tanh(u)) / 2;
    *explanation = terms_new(
        arena, &rule_sum,
        N_("number × (1 + tanh u) / 2, u = √(2/π) (number + 0.044715 number³)"), 1);
    explanation->term[0] =
        product_term(step, cell, share, term_number(arena, share), arena);
    explanation->note = trf(arena, "u is %s, (1 + tanh u) / 2 is %s",
                            term_number(arena, u), term_number(arena, share));
}

static void explain_silu(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    double x = term_at((Place){step->input[0], cell});
    double share = 1 / (1 + exp(-x));
    const char *text = term_number(arena, x);
    *explanation = terms_new(arena, &rule_sum,
                             N_("number × σ(number), where σ is between 0 and 1"), 1);
    explanation->term[0] =
        product_term(step, cell, share, arena_print(arena, "σ(%s)", text), arena);
    explanation->note = trf(arena, "σ(%s) is %s", text, term_number(arena, share));
}

#define ACTIVATION(curve)                                                              \
    .name = #curve, .inputs_min = 1, .inputs_max = 1, .learned = 1,                    \
    .reach = REACH_PLACE, .shape = shape_as_input, .forward = forward_##curve,         \
    .backward = backward_##curve, .explain = explain_##curve

const Op op_relu = {
    ACTIVATION(relu),
    .title = "ReLU",
    .formula = "$y = max(0, $0)",
    .code = CODE("$y = numpy.maximum($0, 0)", "$y = torch.relu($0)"),
    .says = N_("ReLU adds nonlinearity: negative numbers become 0."),
};

const Op op_gelu = {
    ACTIVATION(gelu),
    .title = "GELU",
    .formula = "$y = $0 · Φ($0)",
    .code = CODE("$y = $0 / 2 * (1 + numpy.vectorize(math.erf)($0 / math.sqrt(2)))",
                 "$y = F.gelu($0)"),
    .says = N_("GELU adds nonlinearity: numbers far below 0 become 0, numbers far "
               "above stay, and the curve between them is smooth."),
};

const Op op_gelu_tanh = {
    ACTIVATION(gelu_tanh),
    .title = "GELU",
    .formula = "$y = $0 · (1 + tanh(√(2/π) ($0 + 0.044715 $0³))) / 2",
    .code = CODE("$y = $0 / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * ($0 + "
                 "0.044715 * $0 ** 3)))",
                 "$y = F.gelu($0, approximate='tanh')"),
    .says = N_("This GELU, approximated with tanh as in GPT-2, adds nonlinearity: "
               "numbers far below 0 become 0, numbers far above stay, and the curve "
               "between them is smooth."),
};

const Op op_silu = {
    ACTIVATION(silu),
    .title = "SiLU",
    .formula = "$y = $0 · σ($0)",
    .code = CODE("$y = $0 / (1 + numpy.exp(-$0))", "$y = F.silu($0)"),
    .says =
        N_("SiLU adds nonlinearity: numbers far below 0 become 0, numbers far above "
           "stay, and the curve between them is smooth and dips a little below 0."),
};
