#include <math.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *weights = step->input[0];
    if (!shape_rank(step->op, weights, 4, "batch, head, query, key", error))
        return false;
    if (weights->axis[2].size != weights->axis[3].size || weights->axis[1].size == 0)
        return fail(error,
                    "head_mean: %s %s must have as many keys as queries, and a head",
                    weights->name, shape_text(weights).text);
    *rank = 3;
    axis[0] = weights->axis[0];
    axis[1] = weights->axis[2];
    axis[2] = weights->axis[3];
    return true;
}

/* Return the cell of head `head` at the position of `cell` in the output. */
static int cell_of_head(const Tensor *weights, int cell, int head) {
    int size = weights->axis[2].size * weights->axis[3].size;
    return (cell / size * weights->axis[1].size + head) * size + cell % size;
}

static bool is_itself(const Tensor *weights, int cell) {
    int keys = weights->axis[3].size;
    return cell / keys % keys == cell % keys;
}

/* Half of the mean over the heads, plus half of the token itself: not normalized
 * yet. */
static double half_and_half(const Tensor *weights, int cell) {
    double sum = 0;
    int heads = weights->axis[1].size;
    for (int h = 0; h < heads; h++)
        sum += (double)weights->data[cell_of_head(weights, cell, h)];
    return 0.5 * sum / heads + 0.5 * is_itself(weights, cell);
}

static double row_sum(const Tensor *weights, int cell) {
    int keys = weights->axis[3].size;
    double sum = 0;
    for (int k = 0; k < keys; k++)
        sum += half_and_half(weights, cell / keys * keys + k);
    return sum;
}

/* A[q,k] = (mean over heads of W[q,k] + [q = k]) / 2, then normalize each row */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *weights = step->input[0];
    int keys = weights->axis[3].size;
    double sum = 0;
    for (int cell = 0; cell < tensor_size(step->output); cell++) {
        if (cell % keys == 0) sum = row_sum(weights, cell);
        step->output->data[cell] = (Number)(half_and_half(weights, cell) / sum);
    }
}

/* Only used to examine a run; it is never trained. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *weights = step->input[0];
    int heads = weights->axis[1].size;
    double share = 0.5 / row_sum(weights, cell);
    bool itself = is_itself(weights, cell);
    const char *formula = tr("half of the mean over the heads, plus half of the token "
                             "itself (residual connection)");
    *explanation = terms_new(arena, &rule_sum, formula, heads + itself);
    for (int h = 0; h < heads; h++) {
        Place place = {weights, cell_of_head(weights, cell, h)};
        explanation->term[h] =
            (Term){share / heads * term_at(place),
                   arena_print(arena, "%s × %s", term_number(arena, share / heads),
                               term_number(arena, term_at(place))),
                   {place}};
    }
    if (itself) explanation->term[heads] = (Term){share, tr("the token itself"), {{0}}};
}

const Op op_head_mean = {
    .name = "head_mean",
    .formula = N_("$y = (mean of the heads of $0 + identity) / 2"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE_NONE,
};

Tensor *head_mean(Tape *tape, const char *name, Tensor *weights) {
    return tape_run(tape, &op_head_mean, name, &weights, 1, (Setting){0});
}
