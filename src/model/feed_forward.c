#include "model/feed_forward.h"

#include "model/activation.h"
#include "ops/ops.h"

FeedForward feed_forward_new(Weights *weights, const char *place,
                             const Config *config) {
    Axis d_ff = {.name = "d_ff", .size = config->d_ff};
    Axis d_model = {.name = "d_model", .size = config->d_model};
    Arena *arena = &weights->arena;
    return (FeedForward){
        .inner = weights_linear(weights, arena_print(arena, "%s.fc1", place), d_ff,
                                config->d_model),
        .outer = weights_linear(weights, arena_print(arena, "%s.fc2", place), d_model,
                                config->d_ff),
    };
}

Tensor *feed_forward_run(Tape *tape, const FeedForward *feed_forward,
                         const Config *config, Tensor *x) {
    const char *before = tape_enter(tape, "feed_forward");
    const Linear *inner = &feed_forward->inner;
    const Linear *outer = &feed_forward->outer;
    Tensor *hidden = linear(tape, "hidden", x, inner);
    Tensor *activated = activate(tape, "activated", config->activation, hidden);
    if (config->as_written & ACTIVATION_DROPPED) activated = hidden;
    bool plain = config->feed_forward_output_activation == ACTIVATION_NONE;
    Tensor *output =
        linear(tape, plain ? "output" : "output_projection", activated, outer);
    if (!plain)
        output =
            activate(tape, "output", config->feed_forward_output_activation, output);
    tape_leave(tape, before);
    return output;
}
