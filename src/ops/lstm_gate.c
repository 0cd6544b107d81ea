/* One gate of an LSTM. linear() computes the products before it. */
#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* The purpose of each gate, and its nonlinearity. */
typedef struct {
    const char *formula;
    bool is_tanh;
} Gate;

static const Gate gates[GATES] = {
    [GATE_INPUT] = {.formula = N_("σ(the token's part + the previous state's part): "
                                  "the fraction of the new value that is added")},
    [GATE_FORGET] = {.formula = N_("σ(the token's part + the previous state's part): "
                                   "the fraction of the old cell that is kept")},
    [GATE_CELL] = {.formula = N_("tanh(the token's part + the previous state's part): "
                                 "the new value, between -1 and 1"),
                   .is_tanh = true},
    [GATE_OUTPUT] = {.formula = N_("σ(the token's part + the previous state's part): "
                                   "the fraction of the cell that is output")},
};

/* One gate of one token, within the rows of sums. */
typedef struct {
    const Gate *gate;
    int rows, hidden;
    int input, input_step; /* offset of the first row in from_input, and the distance
                              between rows */
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

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
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

/* y = σ(x + z) = 1 / (1 + exp(-x - z)), or tanh(x + z) for the cell gate; x from the
 * token, z from the state */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    Part p = part_of(step);
    for (int row = 0; row < p.rows; row++) {
        Number *y = step->output->data + row * p.hidden;
        const Number *x = step->input[0]->data + row * p.input_step + p.input;
        const Number *z = step->input[1]->data + row * p.state_step + p.state;
        if (p.gate->is_tanh) {
#pragma omp simd
            for (int i = 0; i < p.hidden; i++) y[i] = TANH(x[i] + z[i]);
            continue;
        }
#pragma omp simd
        for (int i = 0; i < p.hidden; i++) y[i] = 1 / (1 + EXP(-(x[i] + z[i])));
    }
}

/* dx = dz = dy y (1 - y), since σ' = y (1 - y), or dy (1 - y^2) for tanh. The four
 * gates write to four parts of one row. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Part p = part_of(step);
    for (int n = 0; n < 2; n++) {
        Tensor *x = step->input[n];
        if (!x->grad) continue;
        tensor_begin_grad(x);
        for (int row = 0; row < p.rows; row++) {
            const Number *y = step->output->data + row * p.hidden;
            const Number *dy = step->output->grad + row * p.hidden;
            Number *dx = x->grad + (n ? row * p.state_step + p.state
                                      : row * p.input_step + p.input);
            if (p.gate->is_tanh) {
#pragma omp simd
                for (int i = 0; i < p.hidden; i++) dx[i] += dy[i] * (1 - y[i] * y[i]);
                continue;
            }
#pragma omp simd
            for (int i = 0; i < p.hidden; i++) dx[i] += dy[i] * y[i] * (1 - y[i]);
        }
    }
}

static void explain(const Step *step, int cell, Arena *arena,
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
    explanation->note = trf(arena, "the sum is %s", term_number(arena, sum));
}

/* Each gate reads different columns. */
static const char *formula_of(const Step *step, Arena *arena) {
    const Part p = part_of(step);
    return arena_print(arena, "$y = %s($0[token, %d:%d] + $1[%d:%d])",
                       p.gate->is_tanh ? "tanh" : "σ", p.state, p.state + p.hidden,
                       p.state, p.state + p.hidden);
}

/* For tanh, treat tanh(x + z) / (x + z) as a constant. For σ, follow the sum itself. */
static void relevance(Back *back) {
    const Step *step = back->step;
    const Part p = part_of(step);
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int row = cell / p.hidden;
        int x = row * p.input_step + p.input + cell % p.hidden;
        int z = row * p.state_step + p.state + cell % p.hidden;
        double sum = (double)step->input[0]->data[x] + (double)step->input[1]->data[z];
        bool is_bent = p.gate->is_tanh && sum != 0;
        double ratio = is_bent ? (double)step->output->data[cell] / sum : 1;
        double slope = back->flow->slope[i] * ratio;
        if (slope == 0) continue;
        back_pass(back, 0, x, slope);
        back_pass(back, 1, z, slope);
    }
}

static bool is_tanh(const Step *step) {
    return gates[step->setting.count % GATES].is_tanh;
}

static const Code code[] = {
    {is_tanh,
     {"$y = numpy.tanh($0[:, $t, $r] + $1[:, $r])",
      "$y = torch.tanh($0[:, $t, $r] + $1[:, $r])"}},
    {NULL,
     {"$y = 1 / (1 + numpy.exp(-($0[:, $t, $r] + $1[:, $r])))",
      "$y = torch.sigmoid($0[:, $t, $r] + $1[:, $r])"}},
    {0},
};

/* $t: the token. $r: the columns of the gate, 0:64. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    const Part p = part_of(step);
    return letter == 't' ? arena_print(arena, "%d", step->setting.count / GATES)
                         : arena_print(arena, "%d:%d", p.state, p.state + p.hidden);
}

const Op op_lstm_gate = {
    .name = "lstm_gate",
    .formula = "$y = σ($0[token] + $1)",
    .formula_of = formula_of,
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = code,
    .code_word = code_word,
};

Tensor *lstm_gate(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token, int gate) {
    return tape_run(tape, &op_lstm_gate, name, (Tensor *[]){from_input, from_state}, 2,
                    (Setting){.count = token * GATES + gate});
}
