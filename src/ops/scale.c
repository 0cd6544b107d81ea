#include <math.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* y = factor x */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    vector_add(step->output->data, step->input[0]->data, (Number)step->setting.number,
               0, tensor_size(step->output));
}

/* dx = factor dy */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (x->grad)
        vector_add(x->grad, step->output->grad, (Number)step->setting.number,
                   tensor_grad_factor(x), tensor_size(x));
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell};
    double factor = (double)(Number)step->setting.number;
    const char *factor_text = term_number(arena, factor);
    *explanation =
        terms_new(arena, &rule_sum, trf(arena, "number × %s", factor_text), 1);
    explanation->term[0] = (Term){
        term_at(place) * factor,
        arena_print(arena, "%s × %s", term_number(arena, term_at(place)), factor_text),
        {place}};
}

/* Return the whole number whose root is `root`, or 0. */
static int square_of(double root) {
    enum { SQUARE_MAX = 1 << 20 };
    double square = root * root;
    bool is_whole = square < SQUARE_MAX && fabs(square - round(square)) < 1e-6 * square;
    return is_whole && square > 1.5 ? (int)round(square) : 0;
}

/* Roots are shown as roots: "· √64", "/ √16". */
static const char *formula_of(const Step *step, Arena *arena) {
    double factor = step->setting.number;
    int up = square_of(factor);
    int down = factor > 0 ? square_of(1 / factor) : 0;
    if (up) return arena_print(arena, "$y = $0 · √%d", up);
    if (down) return arena_print(arena, "$y = $0 / √%d", down);
    return op_scale.formula;
}

static void relevance(Back *back) {
    const Flow *flow = back->flow;
    Flow *x = back_open(back, 0, flow->from, flow->from + flow->count);
    for (int i = 0; i < flow->count; i++)
        x->slope[i] = flow->slope[i] * back->step->setting.number;
}

const Op op_scale = {
    .name = "scale",
    .formula = "$y = $0 · $n",
    .formula_of = formula_of,
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = CODE("$y = $0 * $n", "$y = $0 * $n"),
};

Tensor *scale(Tape *tape, const char *name, Tensor *x, double factor) {
    return tape_run(tape, &op_scale, name, &x, 1, (Setting){.number = factor});
}
