#include <math.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    if (!shape_rank(step->op, x, 2, "batch, label", error)) return false;
    if (tensor_row(x) != 1)
        return fail(error, "sigmoid_pair: %s %s must have one number in a row", x->name,
                    shape_text(x).text);
    *rank = 2;
    axis[0] = x->axis[0];
    axis[1] = (Axis){.name = x->axis[1].name, .size = 2};
    return true;
}

/* σ(x) = 1 / (1 + exp(-x)). Use 1 - σ(x) = σ(-x), which avoids the difference of nearly
 * equal numbers. */
static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* y = (1 - σ(x), σ(x)) */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    for (int row = 0; row < step->output->axis[0].size; row++) {
        double x = (double)step->input[0]->data[row];
        step->output->data[2 * row] = (Number)sigmoid(-x);
        step->output->data[2 * row + 1] = (Number)sigmoid(x);
    }
}

/* dx = (dy_1 - dy_0) σ(x) (1 - σ(x)) */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (!x->grad) return;
    tensor_begin_grad(x);
    for (int row = 0; row < tensor_size(x); row++) {
        const Number *y = step->output->data + 2 * row;
        const Number *dy = step->output->grad + 2 * row;
        x->grad[row] += (dy[1] - dy[0]) * y[0] * y[1];
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = {step->input[0], cell / 2};
    bool is_yes = cell % 2;
    *explanation = terms_new(
        arena, &rule_sigmoid,
        is_yes ? N_("σ(logit): the probability of the second label")
               : N_("1 - σ(logit), which is σ(-logit): the first label gets the rest"),
        1);
    explanation->term[0] = term_same(arena, place);
    if (is_yes) return;
    explanation->term[0].value = -term_at(place);
    explanation->term[0].text =
        arena_print(arena, "-(%s)", term_number(arena, term_at(place)));
}

const Op op_sigmoid_pair = {
    .name = "sigmoid_pair",
    .formula = "$y = 1 − σ($0), σ($0),  σ(x) = 1 / (1 + exp(−x))",
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE("second = 1 / (1 + numpy.exp(-$0))\n"
                 "$y = numpy.concatenate([1 - second, second], axis=-1)",
                 "second = torch.sigmoid($0)\n"
                 "$y = torch.cat([1 - second, second], dim=-1)"),
};

Tensor *sigmoid_pair(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_sigmoid_pair, name, &x, 1, (Setting){0});
}
