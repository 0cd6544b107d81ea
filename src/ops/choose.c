#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *logits = step->input[0];
    if (!shape_rank(step->op, logits, 3, "batch, target, vocabulary", error))
        return false;
    if (logits->axis[1].size == 0 || tensor_row(logits) == 0)
        return fail(error, "choose: %s %s has nothing to choose from", logits->name,
                    shape_text(logits).text);
    *rank = 2;
    axis[0] = logits->axis[0];
    axis[1] = (Axis){.name = logits->axis[1].name, .size = 1};
    return true;
}

/* Return the index of the first number of the last row of sentence `batch`. */
static int last_row(const Tensor *logits, int batch) {
    int tokens = logits->axis[1].size;
    return (batch * tokens + tokens - 1) * tensor_row(logits);
}

static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *logits = step->input[0];
    for (int b = 0; b < logits->axis[0].size; b++)
        step->output->data[b] = (Number)vector_largest_place(
            logits->data + last_row(logits, b), tensor_row(logits));
}

/* argmax is a step function, so it has no gradient. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *logits = step->input[0];
    int row = last_row(logits, cell);
    const char *formula =
        trf(arena,
            "the index of the largest number along %s; if several are equal, the first",
            shape_axis(logits, 1)->name);
    *explanation = terms_new(arena, &rule_largest, formula, tensor_row(logits));
    for (int i = 0; i < tensor_row(logits); i++)
        explanation->term[i] = term_same(arena, (Place){logits, row + i});
}

const Op op_choose = {
    .name = "choose",
    .formula = N_("$y = the index of the largest number in the last row of $0"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE("$y = $0[:, -1].argmax(-1)[:, None]",
                 "$y = $0[:, -1].argmax(-1)[:, None]"),
};

Tensor *choose(Tape *tape, const char *name, Tensor *logits) {
    Tensor *chosen = tape_run(tape, &op_choose, name, &logits, 1, (Setting){0});
    if (chosen) chosen->holds_ids = true;
    return chosen;
}
