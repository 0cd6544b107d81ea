#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    bool fits = x->rank == y->rank && tensor_row(x) <= INT_MAX - tensor_row(y);
    for (int a = 0; fits && a < x->rank - 1; a++)
        fits = x->axis[a].size == y->axis[a].size;
    if (!fits)
        return fail(error,
                    "concatenate: %s %s and %s %s must differ in the last axis only",
                    x->name, shape_text(x).text, y->name, shape_text(y).text);
    shape_as_input(step, rank, axis, error);
    axis[*rank - 1] =
        (Axis){.name = shape_axis(x, 1)->name, .size = tensor_row(x) + tensor_row(y)};
    return true;
}

/* Where the rows of input `i` begin within those of the output. */
static int start(const Step *step, int i) {
    return i ? tensor_row(step->input[0]) : 0;
}

/* z = x and behind it y, row by row */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int whole = tensor_row(step->output);
    for (int i = 0; i < 2; i++) {
        const Tensor *x = step->input[i];
        int width = tensor_row(x);
        Number *to = step->output->data + start(step, i);
        for (int row = 0; row < shape_rows(x); row++)
            memcpy(to + row * whole, x->data + row * width, (size_t)width * sizeof *to);
    }
}

/* dx and dy = their columns of dz */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    int whole = tensor_row(step->output);
    for (int i = 0; i < 2; i++) {
        Tensor *x = step->input[i];
        if (!x->grad) continue;
        Number keep = tensor_grad_factor(x);
        int width = tensor_row(x);
        const Number *dy = step->output->grad + start(step, i);
        for (int row = 0; row < shape_rows(x); row++)
            vector_add(x->grad + row * width, dy + row * whole, 1, keep, width);
    }
}

static Place from(const Step *step, int cell) {
    int whole = tensor_row(step->output);
    bool second = cell % whole >= start(step, 1);
    const Tensor *x = step->input[second];
    int column = cell % whole - start(step, second);
    return (Place){x, cell / whole * tensor_row(x) + column};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    bool second = cell % tensor_row(step->output) >= start(step, 1);
    *explanation =
        terms_new(arena, &rule_sum,
                  second ? N_("the same number, put behind those of the first")
                         : N_("the same number, from the first of the two"),
                  1);
    explanation->term[0] = term_same(arena, from(step, cell));
}

const Op op_concatenate = {
    .name = "concatenate",
    .formula = N_("$y = [$0, $1], the second behind the first"),
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .reach = REACH_MOVED,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE("$y = numpy.concatenate([$0, $1], axis=-1)",
                 "$y = torch.cat([$0, $1], dim=-1)"),
};

Tensor *concatenate(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_concatenate, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
