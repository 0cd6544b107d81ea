#include "model/attention.h"

#include <math.h>
#include <stdio.h>

#include "model/activation.h"
#include "ops/ops.h"

static Linear projection(Weights *weights, const char *place, const char *name,
                         const Config *config) {
    Axis d_model = {.name = "d_model", .size = config->d_model};
    return weights_linear(weights,
                          arena_print(&weights->arena, "%s.%s_proj", place, name),
                          d_model, config->d_model);
}

Attention attention_new(Weights *weights, const char *place, const Config *config) {
    return (Attention){
        .query = projection(weights, place, "q", config),
        .key = projection(weights, place, "k", config),
        .value = projection(weights, place, "v", config),
        .output = projection(weights, place, "out", config),
    };
}

/* x W^T + b, cut into heads of d_head numbers: section 3.2.2. `name` is "query", "key"
 * or "value", `heads` what the result is called. */
static Tensor *project(Tape *tape, const char *name, const char *heads,
                       const Linear *weights, const Config *config, Tensor *x) {
    char projected[32];
    snprintf(projected, sizeof projected, "%s_projection", name);
    Tensor *y = linear(tape, projected, x, weights->weight, weights->bias);
    tensor_name_axis(y, 1, "token");
    return split_heads(tape, heads, y, config->attention_heads);
}

/* The keys or values of all tokens there are to look at: of those remembered, and of
 * `x`, which are remembered from now on. */
static Tensor *project_all(Tape *tape, const char *name, const Linear *weights,
                           const Config *config, const Look *look, Tensor *x,
                           Tensor **remembered) {
    if (!*remembered) {
        *remembered = project(tape, name, name, weights, config, x);
    } else if (look->key_is_remembered) {
        tape_alias(tape, name, *remembered);
    } else {
        char fresh[32];
        snprintf(fresh, sizeof fresh, "%s_new", name);
        Tensor *more = project(tape, name, fresh, weights, config, x);
        *remembered = append(tape, name, *remembered, more);
        if (*remembered) {
            (*remembered)->axis[2].labels = look->padding->axis[1].labels;
            (*remembered)->axis[2].label_rows = look->padding->axis[1].label_rows;
        }
    }
    return *remembered;
}

/* softmax(Q K^T / sqrt(d_k)) V, section 3.2.1 equation 1, for each head. */
static Tensor *attend(Tape *tape, const Config *config, const Look *look, Tensor *Q,
                      Tensor *K, Tensor *V) {
    Tensor *scores = dot(tape, "scores", Q, K);
    tensor_name_axis(scores, 2, "query");
    tensor_name_axis(scores, 3, "key");
    double d_head = (double)config->d_model / config->attention_heads;
    if (config->scale_scores) scores = scale(tape, "scaled", scores, 1 / sqrt(d_head));
    Tensor *masked = mask(tape, "masked", scores, look->padding, look->mask_flags,
                          config->mask_value);
    Tensor *weights = softmax(tape, "weights", masked);
    return matmul(tape, "context", weights, V);
}

Tensor *attention_run(Tape *tape, const char *name, const Attention *attention,
                      const Config *config, const Look *look) {
    const char *before = tape_enter(tape, name);
    Memory none = {0};
    Memory *memory = look->memory ? look->memory : &none;
    Tensor *Q = project(tape, "query", "query", &attention->query, config, look->query);
    Tensor *K = project_all(tape, "key", &attention->key, config, look, look->key,
                            &memory->key);
    Tensor *V = project_all(tape, "value", &attention->value, config, look, look->value,
                            &memory->value);
    Tensor *context = attend(tape, config, look, Q, K, V);
    Tensor *concat = merge_heads(tape, "concat", context);
    bool plain = config->attention_output_activation == ACTIVATION_NONE;
    Tensor *output = linear(tape, plain ? "output" : "output_projection", concat,
                            attention->output.weight, attention->output.bias);
    if (!plain)
        output = activate(tape, "output", config->attention_output_activation, output);
    tape_leave(tape, before);
    return output;
}
