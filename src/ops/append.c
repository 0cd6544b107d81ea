#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *old = step->input[0];
    const Tensor *more = step->input[1];
    if (!shape_rank(step->op, old, 4, "batch, head, token, d_head", error) ||
        !shape_rank(step->op, more, 4, "batch, head, token, d_head", error))
        return false;
    for (int a = 0; a < 4; a++)
        if (a != 2 && old->axis[a].size != more->axis[a].size)
            return fail(error, "append: %s %s and %s %s differ in %s", old->name,
                        shape_text(old).text, more->name, shape_text(more).text,
                        old->axis[a].name);
    shape_as_input(step, rank, axis, error);
    /* Labels of the two would have to be joined, and none is better than half. */
    axis[2] = (Axis){.name = old->axis[2].name,
                     .size = old->axis[2].size + more->axis[2].size};
    return true;
}

/* How many numbers of each input lie together. */
static int run(const Step *step, int input) {
    return step->input[input]->axis[2].size * step->input[input]->axis[3].size;
}

/* In each head the rows of x and behind them those of y. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    Number *to = step->output->data;
    for (int m = 0; m < shape_matrices(step->output); m++)
        for (int i = 0; i < 2; i++) {
            int size = run(step, i);
            memcpy(to, step->input[i]->data + m * size, (size_t)size * sizeof *to);
            to += size;
        }
}

/* dx and dy = their rows of dz */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    for (int i = 0; i < 2; i++) {
        Tensor *x = step->input[i];
        if (!x->grad) continue;
        Number keep = tensor_grad_factor(x);
        int size = run(step, i);
        const Number *dy = step->output->grad + (i ? run(step, 0) : 0);
        for (int m = 0; m < shape_matrices(step->output); m++)
            vector_add(x->grad + m * size, dy + m * (run(step, 0) + run(step, 1)), 1,
                       keep, size);
    }
}

static Place from(const Step *step, int cell) {
    int together = run(step, 0) + run(step, 1);
    int matrix = cell / together;
    int within = cell % together;
    bool is_more = within >= run(step, 0);
    return (Place){step->input[is_more],
                   matrix * run(step, is_more) + within - (is_more ? run(step, 0) : 0)};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = from(step, cell);
    bool is_more = cell % (run(step, 0) + run(step, 1)) >= run(step, 0);
    *explanation = terms_new(arena, &rule_sum,
                             is_more ? N_("the same number, put behind those of before")
                                     : N_("the same number, remembered from before"),
                             1);
    explanation->term[0] = term_same(arena, place);
}

const Op op_append = {
    .name = "append",
    .formula = N_("$y = the rows of $0, and behind them those of $1"),
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .reach = REACH_MOVED,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE("$y = numpy.concatenate([$0, $1], axis=2)",
                 "$y = torch.cat([$0, $1], dim=2)"),
};

Tensor *append(Tape *tape, const char *name, Tensor *old, Tensor *more) {
    return tape_run(tape, &op_append, name, (Tensor *[]){old, more}, 2, (Setting){0});
}
