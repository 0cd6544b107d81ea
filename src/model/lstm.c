#include "model/lstm.h"

#include <string.h>

#include "ops/ops.h"

/* "forget.3": the sum that the third number of the forget gate is made of. */
static const char *const *gate_labels(Arena *arena, int hidden) {
    static const char *const gate[GATES] = {"input", "forget", "cell", "output"};
    const char **label = ARENA_ARRAY(arena, const char *, GATES *hidden);
    for (int i = 0; i < GATES * hidden; i++)
        label[i] = arena_print(arena, "%s.%d", gate[i / hidden], i % hidden);
    return label;
}

Lstm lstm_new(Weights *weights, const char *place, const Config *config) {
    int hidden = config->hidden_size;
    Axis gates = {.name = "gate",
                  .size = GATES * hidden,
                  .labels = gate_labels(&weights->arena, hidden),
                  .label_rows = 1};
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

/* A beginning that somebody else left, under its name here, or zeros. */
static Tensor *begin(Tape *tape, const char *name, Tensor *before, const Axis *axis) {
    if (before) return tape_alias(tape, name, before);
    Tensor *zeros = tape_given(tape, name, 2, axis);
    if (zeros) memset(zeros->data, 0, (size_t)tensor_size(zeros) * sizeof(Number));
    return zeros;
}

/* Four gates decide what the cell forgets, takes in and shows. */
static Thought step(Tape *tape, const Lstm *lstm, Tensor *from_input, int token,
                    Thought before) {
    Tensor *sums = linear(tape, "from_state", before.state, &lstm->state);
    Tensor *i = lstm_gate(tape, "input_gate", from_input, sums, token, GATE_INPUT);
    Tensor *f = lstm_gate(tape, "forget_gate", from_input, sums, token, GATE_FORGET);
    Tensor *g = lstm_gate(tape, "cell_gate", from_input, sums, token, GATE_CELL);
    Tensor *o = lstm_gate(tape, "output_gate", from_input, sums, token, GATE_OUTPUT);
    Tensor *cell = lstm_cell(tape, "cell", f, before.cell, i, g);
    return (Thought){lstm_state(tape, "state", o, cell), cell};
}

static Thought *read_tokens(Tape *tape, const Lstm *lstm, const Reading *reading) {
    if (tape->failed) return NULL;
    const Tensor *x = reading->x;
    Axis axis[] = {x->axis[0],
                   {.name = "hidden", .size = tensor_row(lstm->state.weight)}};
    int tokens = x->axis[1].size;
    Thought *thought = ARENA_ARRAY(&tape->arena, Thought, tokens);
    Tensor *from_input = linear(tape, "from_input", reading->x, &lstm->input);
    const Thought initial = {
        begin(tape, "initial_state", reading->before.state, axis),
        begin(tape, "initial_cell", reading->before.cell, axis),
    };
    for (int t = 0; t < tokens; t++) {
        const char *before = tape_enter_number(tape, t);
        bool first = t == 0 || reading->restarts;
        thought[t] = step(tape, lstm, from_input, t, first ? initial : thought[t - 1]);
        tape_leave(tape, before);
    }
    return tape->failed ? NULL : thought;
}

Thought *lstm_read(Tape *tape, const Lstm *lstm, const Reading *reading) {
    const char *before = tape_enter(tape, "lstm");
    Thought *thought = read_tokens(tape, lstm, reading);
    tape_leave(tape, before);
    return thought;
}

static Tensor *stack_all(Tape *tape, const char *name, Tensor *const *token,
                         Axis tokens) {
    Tensor *all = stack(tape, name, token, tokens.size);
    if (all) all->axis[1] = tokens;
    return all;
}

Tensor *lstm_states(Tape *tape, const char *name, const Thought *thought, Axis tokens) {
    if (!thought) return NULL;
    Tensor **state = ARENA_ARRAY(&tape->arena, Tensor *, tokens.size);
    for (int t = 0; t < tokens.size; t++) state[t] = thought[t].state;
    return stack_all(tape, name, state, tokens);
}

Tensor *lstm_cells(Tape *tape, const char *name, const Thought *thought, Axis tokens) {
    if (!thought) return NULL;
    Tensor **cell = ARENA_ARRAY(&tape->arena, Tensor *, tokens.size);
    for (int t = 0; t < tokens.size; t++) cell[t] = thought[t].cell;
    return stack_all(tape, name, cell, tokens);
}
