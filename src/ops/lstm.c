/* The three equations of an LSTM. The sums of products before the gates are linear();
 * what is left is done cell by cell. */
#include <math.h>
#include <string.h>

#include "ops/kernels.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* What each gate is for, and how its sum is bent. */
typedef struct {
    const char *formula;
    bool is_tanh;
} Gate;

static const Gate gates[GATES] = {
    [GATE_INPUT] = {.formula = "σ(what the token says + what the state before says): "
                               "the share of the new that is let in"},
    [GATE_FORGET] = {.formula = "σ(what the token says + what the state before says): "
                                "the share of the old cell that is kept"},
    [GATE_CELL] = {.formula = "tanh(what the token says + what the state before says): "
                              "the new, between -1 and 1",
                   .is_tanh = true},
    [GATE_OUTPUT] = {.formula = "σ(what the token says + what the state before says): "
                                "the share of the cell that is shown"},
};

/* One gate of one token, within the rows of sums. */
typedef struct {
    const Gate *gate;
    int rows, hidden;
    int input, input_step; /* the first row's place in from_input, and to the next */
    int state, state_step; /* the same in from_state */
} Part;

static Part part_of(const Step *step) {
    const Tensor *from_input = step->input[0];
    int width = tensor_row(from_input);
    int gate = step->setting.count % GATES;
    int token = step->setting.count / GATES;
    int hidden = width / GATES;
    return (Part){
        .gate = &gates[gate],
        .rows = from_input->axis[0].size,
        .hidden = hidden,
        .input = token * width + gate * hidden,
        .input_step = from_input->axis[1].size * width,
        .state = gate * hidden,
        .state_step = width,
    };
}

static bool gate_shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *from_input = step->input[0];
    const Tensor *from_state = step->input[1];
    if (!shape_rank(step->op, from_input, 3, "batch, token, gates", error) ||
        !shape_rank(step->op, from_state, 2, "batch, gates", error))
        return false;
    int width = tensor_row(from_input);
    if (from_input->axis[0].size != from_state->axis[0].size ||
        width != tensor_row(from_state) || width % GATES != 0)
        return fail(error,
                    "lstm_gate: %s %s and %s %s must agree in batch and in the last "
                    "axis, which the 4 gates share equally",
                    from_input->name, shape_text(from_input).text, from_state->name,
                    shape_text(from_state).text);
    if (step->setting.count < 0 ||
        step->setting.count / GATES >= from_input->axis[1].size)
        return fail(error, "lstm_gate: %s %s has no token %d", from_input->name,
                    shape_text(from_input).text, step->setting.count / GATES);
    *rank = 2;
    axis[0] = from_state->axis[0];
    axis[1] = (Axis){.name = "hidden", .size = width / GATES};
    return true;
}

static void gate_forward(Step *step, Arena *arena) {
    (void)arena;
    Part p = part_of(step);
    Number *y = step->output->data;
    for (int row = 0; row < p.rows; row++)
        kernel_add(y + row * p.hidden,
                   step->input[0]->data + row * p.input_step + p.input,
                   step->input[1]->data + row * p.state_step + p.state, p.hidden);
    int size = p.rows * p.hidden;
    if (p.gate->is_tanh)
        kernel_tanh(y, size);
    else
        kernel_sigmoid(y, size);
}

/* The four gates write into four parts of one row, so the first to come clears all. */
static void clear_unless_written(Tensor *x) {
    if (tensor_grad_factor(x) == 0)
        memset(x->grad, 0, (size_t)tensor_size(x) * sizeof *x->grad);
}

static void gate_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Part p = part_of(step);
    for (int n = 0; n < 2; n++) {
        Tensor *x = step->input[n];
        if (!x->grad) continue;
        clear_unless_written(x);
        Number *grad = x->grad + (n ? p.state : p.input);
        for (int row = 0; row < p.rows; row++) {
            const Number *y = step->output->data + row * p.hidden;
            const Number *dy = step->output->grad + row * p.hidden;
            Number *to = grad + row * (n ? p.state_step : p.input_step);
            if (p.gate->is_tanh)
                kernel_tanh_grad(to, y, dy, 1, p.hidden);
            else
                kernel_sigmoid_grad(to, y, dy, 1, p.hidden);
        }
    }
}

static void gate_explain(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    Part p = part_of(step);
    int row = cell / p.hidden;
    int column = cell % p.hidden;
    *explanation = terms_new(arena, p.gate->is_tanh ? &rule_tanh : &rule_sigmoid,
                             p.gate->formula, 2);
    explanation->term[0] = term_same(
        arena, (Place){step->input[0], row * p.input_step + p.input + column});
    explanation->term[1] = term_same(
        arena, (Place){step->input[1], row * p.state_step + p.state + column});
    double sum = explanation->term[0].value + explanation->term[1].value;
    explanation->note = arena_print(arena, "the sum is %s", term_number(arena, sum));
}

static bool same_shapes(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *first = step->input[0];
    for (int n = 1; n < step->inputs; n++) {
        const Tensor *x = step->input[n];
        bool same = x->rank == first->rank;
        for (int a = 0; same && a < x->rank; a++)
            same = x->axis[a].size == first->axis[a].size;
        if (!same)
            return fail(error, "%s: %s %s and %s %s must be of one shape",
                        step->op->name, first->name, shape_text(first).text, x->name,
                        shape_text(x).text);
    }
    return shape_as_input(step, rank, axis, error);
}

static void cell_forward(Step *step, Arena *arena) {
    (void)arena;
    Number *y = step->output->data;
    int size = tensor_size(step->output);
    for (int n = 0; n < 4; n += 2)
        kernel_multiply_add(y, step->input[n]->data, step->input[n + 1]->data, n > 0,
                            size);
}

static void cell_backward(const Step *step, Arena *scratch) {
    (void)scratch;
    for (int n = 0; n < 4; n++) {
        Tensor *x = step->input[n];
        const Tensor *partner = step->input[n ^ 1];
        if (x->grad)
            kernel_multiply_add(x->grad, step->output->grad, partner->data,
                                tensor_grad_factor(x), tensor_size(x));
    }
}

static void cell_explain(const Step *step, int cell, Arena *arena,
                         Explanation *explanation) {
    *explanation = terms_new(
        arena, &rule_sum, "forget gate × the cell before, + input gate × the new", 2);
    for (int t = 0; t < 2; t++)
        explanation->term[t] = term_product(arena, (Place){step->input[2 * t], cell},
                                            (Place){step->input[2 * t + 1], cell});
}

/* tanh(c') is needed again on the way back. */
static void state_forward(Step *step, Arena *arena) {
    const Tensor *cell = step->input[1];
    int size = tensor_size(cell);
    step->kept = arena_take_raw(arena, (size_t)size * sizeof *step->kept);
    memcpy(step->kept, cell->data, (size_t)size * sizeof *step->kept);
    kernel_tanh(step->kept, size);
    kernel_multiply_add(step->output->data, step->input[0]->data, step->kept, 0, size);
}

static void state_backward(const Step *step, Arena *scratch) {
    Tensor *gate = step->input[0];
    Tensor *cell = step->input[1];
    const Number *dy = step->output->grad;
    int size = tensor_size(cell);
    if (gate->grad)
        kernel_multiply_add(gate->grad, dy, step->kept, tensor_grad_factor(gate), size);
    if (!cell->grad) return;
    Number *shown = arena_take_raw(scratch, (size_t)size * sizeof *shown);
    kernel_multiply_add(shown, dy, gate->data, 0, size);
    kernel_tanh_grad(cell->grad, step->kept, shown, tensor_grad_factor(cell), size);
}

static void state_explain(const Step *step, int cell, Arena *arena,
                          Explanation *explanation) {
    Place gate = {step->input[0], cell};
    Place inside = {step->input[1], cell};
    *explanation =
        terms_new(arena, &rule_sum, "output gate × tanh(cell): what the cell shows", 1);
    explanation->term[0] =
        (Term){term_at(gate) * tanh(term_at(inside)),
               arena_print(arena, "%s × tanh(%s)", term_number(arena, term_at(gate)),
                           term_number(arena, term_at(inside))),
               {gate, inside}};
}

const Op op_lstm_gate = {
    .name = "lstm_gate",
    .formula = "Y[h] = σ(X[t,h] + Z[h]); tanh instead of σ for the cell gate",
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .shape = gate_shape,
    .forward = gate_forward,
    .backward = gate_backward,
    .explain = gate_explain,
};

const Op op_lstm_cell = {
    .name = "lstm_cell",
    .formula = "C'[h] = F[h] C[h] + I[h] G[h]",
    .inputs_least = 4,
    .inputs_most = 4,
    .learned = 15,
    .shape = same_shapes,
    .forward = cell_forward,
    .backward = cell_backward,
    .explain = cell_explain,
};

const Op op_lstm_state = {
    .name = "lstm_state",
    .formula = "H[h] = O[h] tanh(C[h])",
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .shape = same_shapes,
    .forward = state_forward,
    .backward = state_backward,
    .explain = state_explain,
};

Tensor *lstm_gate(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token, int gate) {
    return tape_run(tape, &op_lstm_gate, name, (Tensor *[]){from_input, from_state}, 2,
                    (Setting){.count = token * GATES + gate});
}

Tensor *lstm_cell(Tape *tape, const char *name, Tensor *forget, Tensor *before,
                  Tensor *input, Tensor *fresh) {
    return tape_run(tape, &op_lstm_cell, name,
                    (Tensor *[]){forget, before, input, fresh}, 4, (Setting){0});
}

Tensor *lstm_state(Tape *tape, const char *name, Tensor *output, Tensor *cell) {
    return tape_run(tape, &op_lstm_state, name, (Tensor *[]){output, cell}, 2,
                    (Setting){0});
}
