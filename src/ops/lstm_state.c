#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* h = o tanh(c). tanh(c) is saved for backward. */
CLONES static void forward(Step *step, Arena *arena) {
    const Number *o = step->input[0]->data;
    const Number *c = step->input[1]->data;
    Number *h = step->output->data;
    int size = tensor_size(step->output);
    if (!step->kept)
        step->kept = arena_take_raw(arena, (size_t)size * sizeof *step->kept);
    Number *shown = step->kept;
#pragma omp simd
    for (int i = 0; i < size; i++) {
        shown[i] = TANH(c[i]);
        h[i] = o[i] * shown[i];
    }
}

/* do = dh tanh(c), dc = dh o (1 - tanh(c)^2) */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *gate = step->input[0];
    Tensor *cell = step->input[1];
    const Number *dh = step->output->grad;
    const Number *shown = step->kept;
    int size = tensor_size(cell);
    if (gate->grad)
        vector_add_products(gate->grad, dh, shown, tensor_grad_factor(gate), size);
    if (!cell->grad) return;
    const Number *o = gate->data;
    Number *dc = cell->grad;
    Number keep = tensor_grad_factor(cell);
#pragma omp simd
    for (int i = 0; i < size; i++)
        dc[i] = kept(keep, dc[i]) + dh[i] * o[i] * (1 - shown[i] * shown[i]);
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place gate = {step->input[0], cell};
    Place inside = {step->input[1], cell};
    *explanation = terms_new(arena, &rule_sum,
                             N_("output gate × tanh(cell): the output of the cell"), 1);
    explanation->term[0] =
        (Term){term_at(gate) * tanh(term_at(inside)),
               arena_print(arena, "%s × tanh(%s)", term_number(arena, term_at(gate)),
                           term_number(arena, term_at(inside))),
               {gate, inside}};
}

/* y / c is treated as a constant. */
static void relevance(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double number = (double)back->step->input[1]->data[cell];
        double made = (double)back->step->output->data[cell];
        if (number != 0 && back->flow->slope[i] != 0)
            back_pass(back, 1, cell, back->flow->slope[i] * made / number);
    }
}

const Op op_lstm_state = {
    .name = "lstm_state",
    .formula = "$y = $0 · tanh($1)",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape_all_alike,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = CODE("$y = $0 * numpy.tanh($1)", "$y = $0 * torch.tanh($1)"),
};

Tensor *lstm_state(Tape *tape, const char *name, Tensor *output, Tensor *cell) {
    return tape_run(tape, &op_lstm_state, name, (Tensor *[]){output, cell}, 2,
                    (Setting){0});
}
