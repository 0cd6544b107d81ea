#include <math.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *logits = step->input[0];
    const Tensor *expected = step->input[1];
    bool fits = logits->rank == expected->rank + 1;
    for (int a = 0; fits && a < expected->rank; a++)
        fits = logits->axis[a].size == expected->axis[a].size;
    if (!fits)
        return fail(error,
                    "cross_entropy: %s %s must have the axes of %s %s and one more",
                    logits->name, shape_text(logits).text, expected->name,
                    shape_text(expected).text);
    if (!(step->setting.number >= 0 && step->setting.number <= 1))
        return fail(error, "cross_entropy: smoothing must be from 0 to 1, but it is %g",
                    step->setting.number);
    *rank = 1;
    axis[0] = (Axis){.name = "loss", .size = 1};
    return shape_ids(step->op, expected, logits, tensor_row(logits),
                     step->setting.count, error);
}

static bool counts(const Step *step, int row) {
    return (int)step->input[1]->data[row] != step->setting.count;
}

static int how_many(const Step *step) {
    int count = 0;
    for (int row = 0; row < tensor_size(step->input[1]); row++)
        count += counts(step, row);
    return count;
}

/* The parts of a token's loss: -log p of the label, and -log p averaged over all words.
 * The second is 0 without smoothing, so a word with probability 0 does no harm. */
typedef struct {
    Number max;
    double sum; /* of exp(x - max) over the vocabulary */
    double expected, average;
} Loss;

static Loss loss_of_row(const Step *step, int row) {
    const Tensor *logits = step->input[0];
    int size = tensor_row(logits);
    const Number *x = logits->data + row * size;
    Loss loss = {.max = vector_largest(x, size)};
    loss.sum = vector_exp_sum(x, loss.max, size);
    double whole = log(loss.sum) + (double)loss.max;
    loss.expected = whole - (double)x[(int)step->input[1]->data[row]];
    if (step->setting.number > 0) loss.average = whole - vector_sum(x, size) / size;
    return loss;
}

static double smoothed(const Step *step, const Loss *loss) {
    double smoothing = step->setting.number;
    return (1 - smoothing) * loss->expected + smoothing * loss->average;
}

/* loss = mean of -log softmax(x)[label] over the rows that count */
static void forward(Step *step, Arena *arena) {
    int rows = tensor_size(step->input[1]);
    double total = 0;
    if (!step->kept) step->kept = ARENA_ARRAY(arena, Number, 2 * rows);
    for (int row = 0; row < rows; row++) {
        if (!counts(step, row)) continue;
        Loss loss = loss_of_row(step, row);
        step->kept[2 * row] = loss.max;
        step->kept[2 * row + 1] = (Number)(1 / loss.sum);
        total += smoothed(step, &loss);
    }
    int count = how_many(step);
    step->output->data[0] = (Number)(count > 0 ? total / count : 0);
}

Number cross_entropy_max(const Step *step, int row) {
    return step->kept[2 * row];
}

/* dx = (softmax(x) - label) / number of rows that count; 0 in the other rows. With
 * smoothing e, the label is 1 - e for the correct word plus e / vocabulary for every
 * word. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *logits = step->input[0];
    if (!logits->grad) return;
    int size = tensor_row(logits);
    int count = how_many(step);
    Number keep = tensor_grad_factor(logits);
    Number each = count > 0 ? step->output->grad[0] / (Number)count : 0;
    Number smoothing = (Number)step->setting.number;
    for (int row = 0; row < tensor_size(step->input[1]); row++) {
        Number *dx = logits->grad + row * size;
        if (!counts(step, row)) {
            if (keep == 0) memset(dx, 0, (size_t)size * sizeof *dx);
            continue;
        }
        const Number *x = logits->data + row * size;
        Number max = step->kept[2 * row];
        Number factor = each * step->kept[2 * row + 1];
        Number less = each * smoothing / (Number)size;
#pragma omp simd
        for (int i = 0; i < size; i++)
            dx[i] = kept(keep, dx[i]) + factor * EXP(x[i] - max) - less;
        dx[(int)step->input[1]->data[row]] -= each * (1 - smoothing);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    (void)cell;
    const Tensor *logits = step->input[0];
    double smoothing = step->setting.number;
    int count = how_many(step);
    const char *formula = trf(arena,
                              "-log of the probability of the correct one of %s, "
                              "averaged over the %d positions that count",
                              shape_axis(logits, 1)->name, count);
    *explanation = terms_new(arena, count > 0 ? &rule_mean : &rule_sum, formula, count);
    int filled = 0;
    for (int row = 0; row < tensor_size(step->input[1]); row++) {
        if (!counts(step, row)) continue;
        Loss loss = loss_of_row(step, row);
        const char *text =
            arena_print(arena, "-log %s", term_number(arena, exp(-loss.expected)));
        if (smoothing > 0)
            text = arena_print(arena, "%g × %s + %g × %s", 1 - smoothing, text,
                               smoothing, term_number(arena, loss.average));
        int expected = (int)step->input[1]->data[row];
        explanation->term[filled++] = (Term){
            smoothed(step, &loss),
            text,
            {{step->input[1], row}, {logits, row * tensor_row(logits) + expected}}};
    }
    if (count == 0)
        explanation->note = tr("no position counts: every target is ignored");
    else if (smoothing > 0)
        explanation->note =
            trf(arena,
                "smoothed: the correct one counts %g, and the mean of -log over all %g",
                1 - smoothing, smoothing);
}

/* (p - label) / number of rows that count, for the softmax p of the row. */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    const Tensor *logits = step->input[input];
    const int size = tensor_row(logits);
    const int row = cell / size;
    const double smoothing = step->setting.number;
    if (!counts(step, row)) return;
    const int count = how_many(step);
    const bool is_expected = cell % size == (int)step->input[1]->data[row];
    const double share = exp((double)logits->data[cell] - (double)step->kept[2 * row]) *
                         (double)step->kept[2 * row + 1];
    const double aim = (1 - smoothing) * is_expected + smoothing / size;
    slopes_add(slopes, 0, (share - aim) / count);
    Slope *slope = &slopes->slope[slopes->count - 1];
    slope->factor = (Place){logits, cell};
    slope->text =
        trf(slopes->arena, "(%s predicted − %s target) / %d positions",
            term_number(slopes->arena, share), term_number(slopes->arena, aim), count);
}

const Op op_cross_entropy = {
    .name = "cross_entropy",
    .formula = N_("$y = mean of −log softmax($0)[$1]"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 1,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .slopes = slopes,
    .code = CODE_NONE,
};

Tensor *cross_entropy(Tape *tape, const char *name, Tensor *logits, Tensor *expected,
                      CrossEntropy options) {
    return tape_run(tape, &op_cross_entropy, name, (Tensor *[]){logits, expected}, 2,
                    (Setting){.count = options.ignored, .number = options.smoothing});
}
