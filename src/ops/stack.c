#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *first = step->input[0];
    for (int t = 0; t < step->inputs; t++) {
        const Tensor *x = step->input[t];
        if (!shape_rank(step->op, x, 2, "batch, feature", error)) return false;
        if (x->axis[0].size != first->axis[0].size ||
            tensor_row(x) != tensor_row(first))
            return fail(error, "stack: %s %s and %s %s must have the same shape",
                        first->name, shape_text(first).text, x->name,
                        shape_text(x).text);
    }
    *rank = 3;
    axis[0] = first->axis[0];
    axis[1] = (Axis){.name = "token", .size = step->inputs};
    axis[2] = first->axis[1];
    return true;
}

/* y_t = x_t: join the tokens of each sentence */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int width = tensor_row(step->output);
    Number *to = step->output->data;
    for (int row = 0; row < step->output->axis[0].size; row++)
        for (int t = 0; t < step->inputs; t++, to += width)
            memcpy(to, step->input[t]->data + row * width, (size_t)width * sizeof *to);
}

/* dx_t = dy_t */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    int width = tensor_row(step->output);
    for (int t = 0; t < step->inputs; t++) {
        Tensor *x = step->input[t];
        if (!x->grad) continue;
        Number keep = tensor_grad_factor(x);
        for (int row = 0; row < x->axis[0].size; row++)
            vector_add(x->grad + row * width,
                       step->output->grad + (row * step->inputs + t) * width, 1, keep,
                       width);
    }
}

static Place from(const Step *step, int cell) {
    int width = tensor_row(step->output);
    int row = cell / width / step->inputs;
    return (Place){step->input[cell / width % step->inputs],
                   row * width + cell % width};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    int t = tensor_index(step->output, 1, cell);
    int row = tensor_index(step->output, 0, cell);
    *explanation = terms_new(arena, &rule_sum,
                             trf(arena, "the same number, as computed for %s",
                                 term_index(arena, &step->output->axis[1], row, t)),
                             1);
    explanation->term[0] = term_same(arena, from(step, cell));
}

const Op op_stack = {
    .name = "stack",
    .formula = N_("$y[token] = $0 of that token"),
    .inputs_min = 1,
    .inputs_max = INT_MAX,
    .learned = ~0u,
    .reach = REACH_MOVED,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE("$y = numpy.stack([$*], axis=1)", "$y = torch.stack([$*], dim=1)"),
};

Tensor *stack(Tape *tape, const char *name, Tensor *const *token, int tokens) {
    return tape_run(tape, &op_stack, name, token, tokens, (Setting){0});
}
