#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* The axis along which two tensors are joined: the second to last for append, the last
 * for concatenate. */
static int joined_axis(const Step *step) {
    return step->input[0]->rank - (step->op == &op_append ? 2 : 1);
}

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    const int joined = joined_axis(step);
    bool fits = x->rank == y->rank && joined >= 0 &&
                x->axis[joined].size <= INT_MAX - y->axis[joined].size;
    for (int a = 0; fits && a < x->rank; a++)
        fits = a == joined || x->axis[a].size == y->axis[a].size;
    if (!fits)
        return fail(error, "%s: %s %s and %s %s may differ only in %s", step->op->name,
                    x->name, shape_text(x).text, y->name, shape_text(y).text,
                    joined < 0 ? "?" : x->axis[joined].name);
    shape_as_input(step, rank, axis, error);
    /* The labels of both would have to be joined: omit them. */
    axis[joined] = (Axis){.name = x->axis[joined].name,
                          .size = x->axis[joined].size + y->axis[joined].size};
    return true;
}

/* Return how many consecutive numbers of each input are copied. */
static int run(const Step *step, int input) {
    int size = 1;
    for (int a = joined_axis(step); a < step->input[input]->rank; a++)
        size *= step->input[input]->axis[a].size;
    return size;
}

/* Return where those of the input start within a run of the output. */
static int start(const Step *step, int input) {
    return input ? run(step, 0) : 0;
}

/* z = x followed by y, run by run */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    const int whole = run(step, 0) + run(step, 1);
    const int runs = whole ? tensor_size(step->output) / whole : 0;
    for (int i = 0; i < 2; i++) {
        const int size = run(step, i);
        Number *to = step->output->data + start(step, i);
        for (int r = 0; r < runs; r++)
            memcpy(to + r * whole, step->input[i]->data + r * size,
                   (size_t)size * sizeof *to);
    }
}

/* dx and dy = their parts of dz */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const int whole = run(step, 0) + run(step, 1);
    const int runs = whole ? tensor_size(step->output) / whole : 0;
    for (int i = 0; i < 2; i++) {
        Tensor *x = step->input[i];
        if (!x->grad) continue;
        Number keep = tensor_grad_factor(x);
        const int size = run(step, i);
        const Number *dy = step->output->grad + start(step, i);
        for (int r = 0; r < runs; r++)
            vector_add(x->grad + r * size, dy + r * whole, 1, keep, size);
    }
}

static Place from(const Step *step, int cell) {
    const int whole = run(step, 0) + run(step, 1);
    const bool second = cell % whole >= start(step, 1);
    return (Place){step->input[second], cell / whole * run(step, second) +
                                            cell % whole - start(step, second)};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const bool second = cell % (run(step, 0) + run(step, 1)) >= start(step, 1);
    const bool remembers = step->op == &op_append;
    *explanation = terms_new(
        arena, &rule_sum,
        remembers ? second ? N_("the same number, appended to the earlier ones")
                           : N_("the same number, kept from earlier steps")
        : second ? N_("the same number, appended to those of the first")
                  : N_("the same number, from the first of the two"),
        1);
    explanation->term[0] = term_same(arena, from(step, cell));
}

#define JOIN                                                                           \
    .inputs_min = 2, .inputs_max = 2, .learned = 3, .reach = REACH_MOVED,              \
    .shape = shape, .forward = forward, .backward = backward, .explain = explain,      \
    .from = from

const Op op_append = {
    .name = "append",
    .formula = N_("$y = the rows of $0, then those of $1"),
    JOIN,
    .code = CODE("$y = numpy.concatenate([$0, $1], axis=-2)",
                 "$y = torch.cat([$0, $1], dim=-2)"),
};

const Op op_concatenate = {
    .name = "concatenate",
    .formula = N_("$y = [$0, $1], concatenated"),
    JOIN,
    .code = CODE("$y = numpy.concatenate([$0, $1], axis=-1)",
                 "$y = torch.cat([$0, $1], dim=-1)"),
};

Tensor *append(Tape *tape, const char *name, Tensor *old, Tensor *more) {
    return tape_run(tape, &op_append, name, (Tensor *[]){old, more}, 2, (Setting){0});
}

Tensor *concatenate(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_concatenate, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
