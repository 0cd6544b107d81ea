#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* Return the last token of sentence `row` that is not padding; the first if all are. */
static int token_of(const Tensor *padding, int row) {
    int tokens = tensor_row(padding);
    int t = tokens - 1;
    while (t > 0 && padding->data[row * tokens + t] != 0) t--;
    return t;
}

/* Return where the selected row starts in x. */
static int place_of(const Step *step, int row) {
    const Tensor *x = step->input[0];
    return (row * x->axis[1].size + token_of(step->input[1], row)) * tensor_row(x);
}

/* y = x_t for the last t that is not padding */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int width = tensor_row(step->output);
    for (int row = 0; row < step->output->axis[0].size; row++)
        memcpy(step->output->data + row * width,
               step->input[0]->data + place_of(step, row),
               (size_t)width * sizeof(Number));
}

/* dx_t = dy for that t, else 0 */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    int width = tensor_row(step->output);
    if (!x->grad) return;
    tensor_begin_grad(x);
    for (int row = 0; row < step->output->axis[0].size; row++)
        vector_add(x->grad + place_of(step, row), step->output->grad + row * width, 1,
                   1, width);
}

static Place from(const Step *step, int cell) {
    int width = tensor_row(step->output);
    return (Place){step->input[0], place_of(step, cell / width) + cell % width};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int row = cell / tensor_row(x);
    *explanation = terms_new(
        arena, &rule_sum,
        trf(arena, "the same number, from %s: the last token that is not padding",
            term_index(arena, &x->axis[1], row, token_of(step->input[1], row))),
        1);
    explanation->term[0] = term_same(arena, from(step, cell));
}

#define LAST                                                                           \
    "last = [max((t for t, p in enumerate(row) if p == 0), default=0) for row in "     \
    "$1]\n"

const Op op_last_token = {
    .name = "last_token",
    .formula = N_("$y = $0[the last token that is not padding]"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 1,
    .reach = REACH_MOVED,
    .shape = shape_of_sentences,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE(LAST "$y = $0[numpy.arange(len($0)), last]",
                 LAST "$y = $0[torch.arange(len($0)), last]"),
};

Tensor *last_token(Tape *tape, const char *name, Tensor *x, Tensor *padding) {
    return tape_run(tape, &op_last_token, name, (Tensor *[]){x, padding}, 2,
                    (Setting){0});
}
