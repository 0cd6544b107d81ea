#include "model/rnn.h"

#include <string.h>

#include "ops/ops.h"

static Linear linear_new(Weights *weights, const char *place, const char *from, int in,
                         const Config *config) {
    Arena *arena = &weights->arena;
    Axis axis[] = {{.name = "hidden", .size = config->hidden_size},
                   {.name = "in", .size = in}};
    return (Linear){
        .weight = weights_add(weights, place, arena_print(arena, "weight_%s_l0", from),
                              INITIAL_MATRIX, 2, axis),
        .bias = weights_add(weights, place, arena_print(arena, "bias_%s_l0", from),
                            INITIAL_ZERO, 1, axis),
    };
}

Rnn rnn_new(Weights *weights, const char *place, const Config *config) {
    return (Rnn){
        .input = linear_new(weights, place, "ih", config->d_model, config),
        .state = linear_new(weights, place, "hh", config->hidden_size, config),
    };
}

Tensor *rnn_run(Tape *tape, const Rnn *rnn, Tensor *x) {
    if (tape->failed) return NULL;
    Where outside = tape_enter(tape, "rnn");
    int tokens = x->axis[1].size;
    Tensor **state = ARENA_ARRAY(&tape->arena, Tensor *, tokens);
    Tensor *from_input = linear(tape, "from_input", x, &rnn->input);
    Axis axis[] = {x->axis[0],
                   {.name = "hidden", .size = tensor_row(rnn->state.weight)}};
    Tensor *h = tape_given(tape, "initial_state", 2, axis);
    if (h) memset(h->data, 0, (size_t)tensor_size(h) * sizeof(Number));
    tape_set(tape, h);
    for (int t = 0; t < tokens; t++) { /* h' = tanh(W x + b + U h + b) */
        Where before = tape_enter_layer(tape, t);
        Tensor *from_state = linear(tape, "from_state", h, &rnn->state);
        h = state[t] = rnn_state(tape, "state", from_input, from_state, t);
        tape_leave(tape, before);
    }
    tape_leave(tape, outside);
    Tensor *output = stack(tape, "output", state, tokens);
    if (output) output->axis[1] = x->axis[1];
    return output;
}
