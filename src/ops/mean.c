#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* Does token `t` of sentence `row` count? */
static bool counts(const Step *step, int row, int t) {
    if (step->inputs == 1) return true;
    const Tensor *padding = step->input[1];
    return padding->data[row * tensor_row(padding) + t] == 0;
}

static int count(const Step *step, int row) {
    int total = 0;
    for (int t = 0; t < step->input[0]->axis[1].size; t++)
        total += counts(step, row, t);
    return total;
}

/* y = sum of x_t over the tokens that count / number of tokens that count */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *x = step->input[0];
    int width = tensor_row(x);
    int tokens = x->axis[1].size;
    memset(step->output->data, 0,
           (size_t)tensor_size(step->output) * sizeof *step->output->data);
    for (int row = 0; row < x->axis[0].size; row++) {
        Number share = 1 / (Number)count(step, row); /* not used if no token counts */
        for (int t = 0; t < tokens; t++)
            if (counts(step, row, t))
                vector_add(step->output->data + row * width,
                           x->data + (row * tokens + t) * width, share, 1, width);
    }
}

/* dx_t = dy / number of tokens that count, or 0 if t does not count */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (!x->grad) return;
    Number keep = tensor_grad_factor(x);
    int width = tensor_row(x);
    int tokens = x->axis[1].size;
    for (int row = 0; row < x->axis[0].size; row++) {
        Number share = 1 / (Number)count(step, row);
        for (int t = 0; t < tokens; t++)
            vector_add(x->grad + (row * tokens + t) * width,
                       step->output->grad + row * width,
                       counts(step, row, t) ? share : 0, keep, width);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int width = tensor_row(x);
    int tokens = x->axis[1].size;
    int row = cell / width;
    int counted = count(step, row);
    *explanation =
        terms_new(arena, counted ? &rule_mean : &rule_sum,
                  trf(arena, "the numbers of each %s, summed and divided by %d",
                      x->axis[1].name, counted),
                  counted);
    int term = 0;
    for (int t = 0; t < tokens; t++)
        if (counts(step, row, t))
            explanation->term[term++] =
                term_same(arena, (Place){x, (row * tokens + t) * width + cell % width});
    if (counted < tokens)
        explanation->note = trf(arena, "left out because they are padding: %d of %d",
                                tokens - counted, tokens);
}

static const char *formula_of(const Step *step, Arena *arena) {
    (void)arena;
    return step->inputs > 1
               ? N_("$y = Σ over the tokens that are not padding of $0 / their number")
               : N_("$y = Σ over all tokens of $0 / their number");
}

static void relevance(Back *back) {
    const Step *step = back->step;
    int width = tensor_row(step->input[0]);
    int tokens = step->input[0]->axis[1].size;
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int row = cell / width;
        int counted = count(step, row);
        for (int t = 0; t < tokens && back->flow->slope[i] != 0; t++)
            if (counts(step, row, t))
                back_pass(back, 0, (row * tokens + t) * width + cell % width,
                          back->flow->slope[i] / counted);
    }
}

#define MEAN_OF_COUNTED                                                                \
    "counts = 1 - $1\n"                                                                \
    "$y = ($0 * counts[:, :, None]).sum(1) / counts.sum(1)[:, None]"

static bool has_padding(const Step *step) {
    return step->inputs > 1;
}

static const Code code[] = {
    {has_padding, {MEAN_OF_COUNTED, MEAN_OF_COUNTED}},
    {NULL, {"$y = $0.mean(1)", "$y = $0.mean(1)"}},
    {0},
};

const Op op_mean = {
    .name = "mean",
    .formula = N_("$y = Σ over the tokens of $0 / their number"),
    .formula_of = formula_of,
    .inputs_min = 1,
    .inputs_max = 2,
    .learned = 1,
    .shape = shape_of_sentences,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = code,
};

Tensor *mean(Tape *tape, const char *name, Tensor *x, Tensor *padding) {
    return tape_run(tape, &op_mean, name, (Tensor *[]){x, padding}, padding ? 2 : 1,
                    (Setting){0});
}
