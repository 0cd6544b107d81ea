/* One step of a plain RNN. linear() computes the products before it. */
#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *from_input = step->input[0];
    const Tensor *from_state = step->input[1];
    int token = step->setting.count;
    if (!shape_rank(step->op, from_input, 3, "batch, token, hidden", error) ||
        !shape_rank(step->op, from_state, 2, "batch, hidden", error))
        return false;
    if (from_input->axis[0].size != from_state->axis[0].size ||
        tensor_row(from_input) != tensor_row(from_state))
        return fail(error, "rnn_state: %s %s and %s %s must agree in batch and hidden",
                    from_input->name, shape_text(from_input).text, from_state->name,
                    shape_text(from_state).text);
    if (token < 0 || token >= from_input->axis[1].size)
        return fail(error, "rnn_state: %s %s has no token %d", from_input->name,
                    shape_text(from_input).text, token);
    *rank = 2;
    for (int a = 0; a < *rank; a++) axis[a] = from_state->axis[a];
    axis[1].name = "hidden";
    return true;
}

/* Return where the token's row of sentence `row` starts in from_input. */
static int place_of(const Step *step, int row) {
    const Tensor *x = step->input[0];
    return (row * x->axis[1].size + step->setting.count) * tensor_row(x);
}

/* y = tanh(x_t + z), x_t from the token, z from the previous state */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    int width = tensor_row(step->output);
    for (int row = 0; row < step->output->axis[0].size; row++) {
        Number *y = step->output->data + row * width;
        const Number *x = step->input[0]->data + place_of(step, row);
        const Number *z = step->input[1]->data + row * width;
#pragma omp simd
        for (int i = 0; i < width; i++) y[i] = TANH(x[i] + z[i]);
    }
}

CLONES static void slope(Number *restrict dx, const Number *restrict y,
                         const Number *restrict dy, Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++)
        dx[i] = kept(keep, dx[i]) + dy[i] * (1 - y[i] * y[i]);
}

/* dx_t = dz = dy (1 - y^2), since tanh' = 1 - y^2. The steps share the rows of x: each
 * writes the rows of one token. */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    Tensor *z = step->input[1];
    int width = tensor_row(step->output);
    Number keep = z->grad ? tensor_grad_factor(z) : 0;
    if (x->grad) tensor_begin_grad(x);
    for (int row = 0; row < step->output->axis[0].size; row++) {
        const Number *y = step->output->data + row * width;
        const Number *dy = step->output->grad + row * width;
        if (x->grad) slope(x->grad + place_of(step, row), y, dy, 1, width);
        if (z->grad) slope(z->grad + row * width, y, dy, keep, width);
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    int width = tensor_row(step->output);
    int place = place_of(step, cell / width) + cell % width;
    *explanation = terms_new(arena, &rule_tanh,
                             N_("tanh(the token's part + the previous state's part): "
                                "the new state, between -1 and 1"),
                             2);
    explanation->term[0] = term_same(arena, (Place){step->input[0], place});
    explanation->term[1] = term_same(arena, (Place){step->input[1], cell});
    double sum = explanation->term[0].value + explanation->term[1].value;
    explanation->note = trf(arena, "the sum is %s", term_number(arena, sum));
}

/* tanh(x + z) / (x + z) is treated as a constant. */
static void relevance(Back *back) {
    const Step *step = back->step;
    int width = tensor_row(step->output);
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int x = place_of(step, cell / width) + cell % width;
        double sum =
            (double)step->input[0]->data[x] + (double)step->input[1]->data[cell];
        double ratio = sum != 0 ? (double)step->output->data[cell] / sum : 1;
        double slope = back->flow->slope[i] * ratio;
        if (slope == 0) continue;
        back_pass(back, 0, x, slope);
        back_pass(back, 1, cell, slope);
    }
}

const Op op_rnn_state = {
    .name = "rnn_state",
    .formula = "$y = tanh($0[token] + $1)",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = CODE("$y = numpy.tanh($0[:, $c] + $1)", "$y = torch.tanh($0[:, $c] + $1)"),
};

Tensor *rnn_state(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token) {
    return tape_run(tape, &op_rnn_state, name, (Tensor *[]){from_input, from_state}, 2,
                    (Setting){.count = token});
}
