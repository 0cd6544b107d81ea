#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *x = step->input[0];
    Number expected = (Number)step->setting.number;
    for (int i = 0; i < tensor_size(x); i++)
        step->output->data[i] = x->data[i] == expected;
}

/* A step function has no gradient. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Place place = {step->input[0], cell};
    double expected = step->setting.number;
    const char *formula = trf(arena, "1 if the number is %g, else 0", expected);
    *explanation = terms_new(arena, &rule_sum, formula, 1);
    explanation->term[0] =
        (Term){term_at(place) == expected,
               trf(arena, "compared with %g: it is %g", expected, term_at(place)),
               {place}};
}

const Op op_equals = {
    .name = "equals",
    .formula = N_("$y = 1 if $0 is $n, else 0"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE("$y = 1.0 * ($0 == $n)", "$y = 1.0 * ($0 == $n)"),
};

Tensor *equals(Tape *tape, const char *name, Tensor *x, double number) {
    return tape_run(tape, &op_equals, name, &x, 1, (Setting){.number = number});
}
