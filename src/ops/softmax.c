#include <math.h>

#include "ops/kernels.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static Rows rows(const Tensor *x) {
    return (Rows){shape_rows(x), tensor_row(x)};
}

static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *x = step->input[0];
    kernel_softmax(step->output->data, x->data, rows(x));
}

static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    const Tensor *y = step->output;
    if (x->grad)
        kernel_softmax_grad(x->grad, y->data, y->grad, tensor_grad_factor(x), rows(x));
}

/* What is left of a number after the largest of its row was taken off: see shift() in
 * kernels.c for the infinities. */
static double below_largest(double x, double most) {
    if (most == INFINITY) return x == INFINITY ? 0 : x < INFINITY ? -INFINITY : x;
    return most == -INFINITY ? x : x - most;
}

static const char *note(double most) {
    if (most == -INFINITY)
        return "every number of the row is -inf: there is nothing to look at, and all "
               "weights are 0";
    if (most == INFINITY)
        return "numbers that are infinite share all the weight, as in the limit";
    return NULL;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    int start = cell - cell % size;
    double most = (double)kernel_largest(x->data + start, size);
    const char *formula = arena_print(
        arena,
        "exp(this number) over the sum of exp of the whole row, along %s; the largest, "
        "%s, was taken off each first, which changes no weight",
        shape_axis(x, 1)->name, term_number(arena, most));
    *explanation = terms_new(arena, &rule_quotient, formula, size);
    explanation->chosen = cell - start;
    explanation->note = note(most);
    for (int i = 0; i < size; i++) {
        Place place = {x, start + i};
        double left = below_largest(term_at(place), most);
        explanation->term[i] =
            (Term){exp(left),
                   arena_print(arena, "exp(%s)", term_number(arena, left)),
                   {place}};
    }
}

const Op op_softmax = {
    .name = "softmax",
    .formula = "Y[i] = exp(X[i]) / sum over j of exp(X[j])",
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
};

Tensor *softmax(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_softmax, name, &x, 1, (Setting){0});
}
