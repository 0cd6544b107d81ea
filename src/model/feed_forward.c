#include "model/feed_forward.h"

#include "model/dropping.h"
#include "ops/ops.h"

FeedForward feed_forward_new(Weights *weights, const char *place,
                             const Config *config) {
    Axis d_ff = {.name = "d_ff", .size = config->d_ff};
    Axis d_model = {.name = "d_model", .size = config->d_model};
    const char *inner = arena_print(&weights->arena, "%s.fc1", place);
    const char *gate = arena_print(&weights->arena, "%s.fc_gate", place);
    const char *outer = arena_print(&weights->arena, "%s.fc2", place);
    return (FeedForward){
        .inner = weights_linear(weights, inner, d_ff, config->d_model,
                                config->feed_forward_bias),
        .gate = config->feed_forward_gate
                    ? weights_linear(weights, gate, d_ff, config->d_model,
                                     config->feed_forward_bias)
                    : (Linear){0},
        .outer = weights_linear(weights, outer, d_model, config->d_ff,
                                config->feed_forward_bias),
        .activation = (Activation)config->activation,
        .output_activation = (Activation)config->feed_forward_output_activation,
        .dropout = config->activation_dropout,
        .activation_dropped = config->as_written & ACTIVATION_DROPPED,
    };
}

Tensor *feed_forward_run(Tape *tape, const FeedForward *f, Tensor *x) {
    Where before = tape_enter(tape, "feed_forward");
    Tensor *gate = f->gate.weight ? linear(tape, "gate", x, &f->gate) : NULL;
    Tensor *activated = gate ? activate(tape, "activated", f->activation, gate) : NULL;
    Tensor *hidden = linear(tape, "hidden", x, &f->inner);
    Tensor *made = gate ? multiply(tape, "gated", activated, hidden)
                        : activate(tape, "activated", f->activation, hidden);
    made = drop(tape, gate ? "gated_dropped" : "activated_dropped", f->dropout, made);
    Tensor *output = project_output(tape, &f->outer, f->output_activation,
                                    f->activation_dropped ? hidden : made);
    tape_leave(tape, before);
    return output;
}
