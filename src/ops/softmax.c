#include "base/language.h"
#include "base/threads.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

enum { BLOCK = 2048 }; /* numbers that fit into the L1 cache */

/* Subtract the largest number of the row: exp() of a large number would overflow, and
 * the quotient stays the same. Infinity minus infinity counts as 0. */
static double below_largest(double x, double max) {
    if (max == INFINITY) return x == INFINITY ? 0 : x < INFINITY ? -INFINITY : x;
    return max == -INFINITY ? x : x - max;
}

static inline void shift(Number *restrict y, const Number *restrict x, int size) {
    const Number max = largest(x, size);
    if (isinf(max)) {
        for (int i = 0; i < size; i++)
            y[i] = (Number)below_largest((double)x[i], (double)max);
        return;
    }
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] = x[i] - max;
}

static inline void divide_by_sum(Number *y, int size) {
    double total;
    SUM(total, size, y[i]);
    Number factor = (Number)(total > 0 ? 1 / total : total);
#pragma omp simd
    for (int i = 0; i < size; i++) y[i] *= factor;
}

/* y = exp(x) / sum of exp(x) over the row. A row of only -inf becomes zeros. exp() is
 * vectorized over several rows, since rows may be as short as a sentence. */
CLONES static void forward_part(void *context, int part, int parts) {
    const Step *step = context;
    const Number *x = step->input[0]->data;
    Number *y = step->output->data;
    int size = tensor_row(step->output);
    const long long all = shape_rows(step->output);
    int first = (int)(all * part / parts);
    int last = (int)(all * (part + 1) / parts);
    int together = size < BLOCK / 2 ? BLOCK / (size > 0 ? size : 1) : 1;
    for (int row = first; row < last; row += together) {
        Number *block = y + row * size;
        int rows = min(together, last - row);
        for (int r = 0; r < rows; r++)
            shift(block + r * size, x + (row + r) * size, size);
#pragma omp simd
        for (int i = 0; i < rows * size; i++) block[i] = EXP(block[i]);
        for (int r = 0; r < rows; r++) divide_by_sum(block + r * size, size);
    }
}

/* The logits of a sentence are large enough for a second thread. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    enum { LARGE = 20000 };
    if (threads_help() && tensor_size(step->output) > LARGE)
        threads_run(forward_part, step);
    else
        forward_part(step, 0, 1);
}

/* dx_i = y_i (dy_i - sum of dy_j y_j): increasing one input decreases all other
 * outputs. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (!x->grad) return;
    const Number *y = step->output->data;
    const Number *dy = step->output->grad;
    Number *dx = x->grad;
    Number keep = tensor_grad_factor(x);
    int size = tensor_row(x);
    for (int rows = shape_rows(x); rows > 0;
         rows--, dx += size, y += size, dy += size) {
        Number sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < size; j++) sum += dy[j] * y[j];
#pragma omp simd
        for (int i = 0; i < size; i++) dx[i] = kept(keep, dx[i]) + y[i] * (dy[i] - sum);
    }
}

static const char *note(double max) {
    if (max == -INFINITY)
        return tr("every number of the row is -inf: there is nothing to attend to, so "
                  "all weights are 0");
    if (max == INFINITY)
        return tr("infinite numbers share all the weight, as in the limit");
    return NULL;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    int start = cell - cell % size;
    double max = (double)vector_largest(x->data + start, size);
    const char *formula = trf(
        arena,
        "exp(this number) divided by the sum of exp over the row, along %s; the "
        "largest, %s, was subtracted from each first, which does not change the result",
        shape_axis(x, 1)->name, term_number(arena, max));
    *explanation = terms_new(arena, &rule_quotient, formula, size);
    explanation->chosen = cell - start;
    explanation->note = note(max);
    for (int i = 0; i < size; i++) {
        Place place = {x, start + i};
        double left = below_largest(term_at(place), max);
        explanation->term[i] =
            (Term){exp(left),
                   arena_print(arena, "exp(%s)", term_number(arena, left)),
                   {place}};
    }
}

static const char *formula_of(const Step *step, Arena *arena) {
    return trf(arena, "$y = exp($0) / Σ along %s of exp($0)",
               shape_axis(step->output, 1)->name);
}

/* dy_j/dx_i = y_i (1 - y_i) for j = i, else -y_i y_j */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    (void)input;
    const Tensor *y = step->output;
    int size = tensor_row(y);
    int start = cell - cell % size;
    double here = (double)y->data[cell];
    for (int j = start; j < start + size; j++)
        slopes_add(slopes, j, (double)y->data[j] * ((j == cell) - here));
}

const Op op_softmax = {
    .name = "softmax",
    .formula = "$y = exp($0) / Σ exp($0)",
    .formula_of = formula_of,
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .slopes = slopes,
    .code = CODE("e = numpy.exp($0 - $0.max(-1, keepdims=True))\n"
                 "$y = e / e.sum(-1, keepdims=True)",
                 "$y = torch.softmax($0, -1)"),
    .shares = true,
};

Tensor *softmax(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_softmax, name, &x, 1, (Setting){0});
}
