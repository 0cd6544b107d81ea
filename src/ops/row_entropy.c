#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape_of_queries(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *weights = step->input[0];
    if (!shape_rank(step->op, weights, 4, "batch, head, query, key", error))
        return false;
    *rank = 3;
    axis[0] = weights->axis[0];
    axis[1] = weights->axis[2];
    axis[2] = weights->axis[1];
    return true;
}

static bool shape_of_distance(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *weights = step->input[0];
    const Tensor *pattern = step->input[1];
    if (!shape_of_queries(step, rank, axis, error) ||
        !shape_rank(step->op, pattern, 3, "batch, query, key", error))
        return false;
    bool fits = true;
    for (int a = 0; a < 3; a++)
        fits = fits && pattern->axis[a].size == weights->axis[a ? a + 1 : 0].size;
    return fits ||
           fail(error, "row_distance: %s %s does not fit %s %s", pattern->name,
                shape_text(pattern).text, weights->name, shape_text(weights).text);
}

/* Return where the row of number `cell` of the output [batch, query, head] starts in
 * the weights [batch, head, query, key]; and in a pattern [batch, query, key]. */
static int row_of_weights(const Tensor *weights, int cell) {
    int heads = weights->axis[1].size;
    int queries = weights->axis[2].size;
    int head = cell % heads;
    int query = cell / heads % queries;
    int batch = cell / heads / queries;
    return ((batch * heads + head) * queries + query) * weights->axis[3].size;
}

static int row_of_pattern(const Tensor *weights, int cell) {
    return cell / weights->axis[1].size * weights->axis[3].size;
}

/* -p log2 p, which is 0 for p = 0 and, without a sign, for p = 1. */
static double bits(double p) {
    return p > 0 && p != 1 ? -p * log2(p) : 0;
}

/* H[q] = - sum over k of W[q,k] log2 W[q,k]: Shannon 1948 */
static void forward_entropy(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *weights = step->input[0];
    for (int cell = 0; cell < tensor_size(step->output); cell++) {
        const Number *p = weights->data + row_of_weights(weights, cell);
        double sum = 0;
        for (int k = 0; k < tensor_row(weights); k++) sum += bits((double)p[k]);
        step->output->data[cell] = (Number)sum;
    }
}

/* D[q] = sum over k of |W[q,k] - R[q,k]| / 2 */
static void forward_distance(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *weights = step->input[0];
    for (int cell = 0; cell < tensor_size(step->output); cell++) {
        const Number *p = weights->data + row_of_weights(weights, cell);
        const Number *r = step->input[1]->data + row_of_pattern(weights, cell);
        double sum = 0;
        for (int k = 0; k < tensor_row(weights); k++)
            sum += fabs((double)p[k] - (double)r[k]) / 2;
        step->output->data[cell] = (Number)sum;
    }
}

/* Only used to examine a run; they are never trained. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain_entropy(const Step *step, int cell, Arena *arena,
                            Explanation *explanation) {
    const Tensor *weights = step->input[0];
    int row = row_of_weights(weights, cell);
    const char *formula = trf(arena,
                              "−p log2 p of each weight p of the row, summed "
                              "over %s: bits",
                              shape_axis(weights, 1)->name);
    *explanation = terms_new(arena, &rule_sum, formula, tensor_row(weights));
    for (int k = 0; k < tensor_row(weights); k++) {
        Place place = {weights, row + k};
        const char *p = term_number(arena, term_at(place));
        explanation->term[k] = (Term){
            bits(term_at(place)), arena_print(arena, "−%s × log2 %s", p, p), {place}};
    }
}

static void explain_distance(const Step *step, int cell, Arena *arena,
                             Explanation *explanation) {
    const Tensor *weights = step->input[0];
    const Tensor *pattern = step->input[1];
    int row = row_of_weights(weights, cell);
    int other = row_of_pattern(weights, cell);
    const char *formula =
        tr("half of the difference between each weight and the pattern's, summed: the "
           "fraction of the attention that would have to move");
    *explanation = terms_new(arena, &rule_sum, formula, tensor_row(weights));
    for (int k = 0; k < tensor_row(weights); k++) {
        Place one = {weights, row + k};
        Place two = {pattern, other + k};
        explanation->term[k] =
            (Term){fabs(term_at(one) - term_at(two)) / 2,
                   arena_print(arena, "|%s − %s| / 2", term_number(arena, term_at(one)),
                               term_number(arena, term_at(two))),
                   {one, two}};
    }
}

const Op op_row_entropy = {
    .name = "row_entropy",
    .formula = N_("$y = −sum over key of $0 log2 $0"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape_of_queries,
    .forward = forward_entropy,
    .backward = backward,
    .explain = explain_entropy,
    .relevance = relevance_ends,
    .code = CODE_NONE,
};

const Op op_row_distance = {
    .name = "row_distance",
    .formula = N_("$y = sum over key of |$0 − $1| / 2"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 0,
    .shape = shape_of_distance,
    .forward = forward_distance,
    .backward = backward,
    .explain = explain_distance,
    .relevance = relevance_ends,
    .code = CODE_NONE,
};

Tensor *row_entropy(Tape *tape, const char *name, Tensor *weights) {
    return tape_run(tape, &op_row_entropy, name, &weights, 1, (Setting){0});
}

Tensor *row_distance(Tape *tape, const char *name, Tensor *weights, Tensor *pattern) {
    return tape_run(tape, &op_row_distance, name, (Tensor *[]){weights, pattern}, 2,
                    (Setting){0});
}
