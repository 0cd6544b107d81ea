#include "model/lstm.h"

#include <string.h>

#include "ops/ops.h"

Lstm lstm_new(Weights *weights, const char *place, const Config *config) {
    static const char *const gate[GATES] = {"input", "forget", "cell", "output"};
    int hidden = config->hidden_size;
    /* "forget.3": the input to number 3 of the forget gate. */
    const char **label = ARENA_ARRAY(&weights->arena, const char *, GATES *hidden);
    for (int i = 0; i < GATES * hidden; i++)
        label[i] = arena_print(&weights->arena, "%s.%d", gate[i / hidden], i % hidden);
    Axis gates = {
        .name = "gate", .size = GATES * hidden, .labels = label, .label_rows = 1};
    Axis input[] = {gates, {.name = "in", .size = config->d_model}};
    Axis state[] = {gates, {.name = "in", .size = hidden}};
    Lstm lstm;
    lstm.input.weight =
        weights_add(weights, place, "weight_ih_l0", INITIAL_MATRIX, 2, input);
    lstm.state.weight =
        weights_add(weights, place, "weight_hh_l0", INITIAL_MATRIX, 2, state);
    lstm.input.bias =
        weights_add(weights, place, "bias_ih_l0", INITIAL_ZERO, 1, &gates);
    lstm.state.bias =
        weights_add(weights, place, "bias_hh_l0", INITIAL_ZERO, 1, &gates);
    return lstm;
}

/* Return the given initial state under its name here, or zeros. */
static Tensor *initial(Tape *tape, const char *name, Tensor *before, const Axis *axis) {
    if (before) return tape_alias(tape, name, before);
    Tensor *zeros = tape_given(tape, name, 2, axis);
    if (zeros) memset(zeros->data, 0, (size_t)tensor_size(zeros) * sizeof(Number));
    return tape_set(tape, zeros);
}

/* One token: four gates decide what the cell forgets, adds and outputs.
 *     i, f, o = σ(W x + U h + b)    g = tanh(W x + U h + b)
 *     c' = f c + i g                h' = o tanh(c') */
static LstmState lstm_step(Tape *tape, const Lstm *lstm, Tensor *from_input, int token,
                           LstmState before) {
    Tensor *from_state = linear(tape, "from_state", before.h, &lstm->state);
    Tensor *i =
        lstm_gate(tape, "input_gate", from_input, from_state, token, GATE_INPUT);
    Tensor *f =
        lstm_gate(tape, "forget_gate", from_input, from_state, token, GATE_FORGET);
    Tensor *g = lstm_gate(tape, "cell_gate", from_input, from_state, token, GATE_CELL);
    Tensor *o =
        lstm_gate(tape, "output_gate", from_input, from_state, token, GATE_OUTPUT);
    LstmState after;
    after.c = lstm_cell(tape, "cell", f, before.c, i, g);
    after.h = lstm_state(tape, "state", o, after.c);
    return after;
}

LstmState *lstm_run(Tape *tape, const Lstm *lstm, const LstmInput *input) {
    if (tape->failed) return NULL;
    Where outside = tape_enter(tape, "lstm");
    const Axis *batch = &input->x->axis[0];
    Axis axis[] = {*batch, {.name = "hidden", .size = tensor_row(lstm->state.weight)}};
    int tokens = input->x->axis[1].size;
    LstmState *state = ARENA_ARRAY(&tape->arena, LstmState, tokens);
    Tensor *from_input = linear(tape, "from_input", input->x, &lstm->input);
    const LstmState first = {
        .h = initial(tape, "initial_state", input->before.h, axis),
        .c = initial(tape, "initial_cell", input->before.c, axis),
    };
    for (int t = 0; t < tokens; t++) {
        Where before = tape_enter_layer(tape, t);
        bool begins = t == 0 || input->restarts;
        state[t] = lstm_step(tape, lstm, from_input, t, begins ? first : state[t - 1]);
        tape_leave(tape, before);
    }
    tape_leave(tape, outside);
    return tape->failed ? NULL : state;
}

static Tensor *stack_tokens(Tape *tape, const char *name, Tensor *const *token,
                            Axis tokens) {
    Tensor *all = stack(tape, name, token, tokens.size);
    if (all) all->axis[1] = tokens;
    return all;
}

Tensor *lstm_states(Tape *tape, const char *name, const LstmState *state, Axis tokens) {
    if (!state) return NULL;
    Tensor **h = ARENA_ARRAY(&tape->arena, Tensor *, tokens.size);
    for (int t = 0; t < tokens.size; t++) h[t] = state[t].h;
    return stack_tokens(tape, name, h, tokens);
}

Tensor *lstm_cells(Tape *tape, const char *name, const LstmState *state, Axis tokens) {
    if (!state) return NULL;
    Tensor **c = ARENA_ARRAY(&tape->arena, Tensor *, tokens.size);
    for (int t = 0; t < tokens.size; t++) c[t] = state[t].c;
    return stack_tokens(tape, name, c, tokens);
}
