#include "model/attention.h"

#include <math.h>

#include "model/dropping.h"
#include "ops/ops.h"

static Linear linear_new(Weights *weights, const char *place, const char *name,
                         const Config *config, int heads, bool has_bias) {
    int d_head = config->d_model / config->attention_heads;
    Axis d_model = {.name =
                        heads == config->attention_heads ? "d_model" : "d_key_value",
                    .size = heads * d_head};
    place = arena_print(&weights->arena, "%s.%s_proj", place, name);
    return weights_linear(weights, place, d_model, config->d_model, has_bias);
}

Attention attention_new(Weights *weights, const char *place, const Config *config,
                        MaskRule mask) {
    int heads = config->attention_heads;
    int shared = config_key_value_heads(config);
    bool has_bias = config->query_key_value_bias;
    return (Attention){
        .query = linear_new(weights, place, "q", config, heads, has_bias),
        .key = linear_new(weights, place, "k", config, shared, has_bias),
        .value = linear_new(weights, place, "v", config, shared, has_bias),
        .output = config->attention_output_projection
                      ? linear_new(weights, place, "out", config, heads,
                                   config->attention_output_bias)
                      : (Linear){0},
        .heads = heads,
        .key_value_heads = shared,
        .scale_scores = config->scale_scores,
        .mask = mask,
        .dropout = config->attention_dropout,
        .output_activation = (Activation)config->attention_output_activation,
    };
}

/* Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V, equation 1, for each head. Masked
 * keys get weight 0: section 3.2.3. */
static Tensor *scaled_dot_product(Tape *tape, const Attention *attention, Tensor *Q,
                                  Tensor *K, Tensor *V, Tensor *padding) {
    Tensor *scores = dot(tape, "scores", Q, K);
    tensor_name_axis(scores, 2, "query");
    tensor_name_axis(scores, 3, "key");
    if (attention->scale_scores && Q) /* NULL: the tape has failed */
        scores = scale(tape, "scaled", scores, 1 / sqrt(tensor_row(Q)));
    Tensor *masked = mask_scores(tape, "masked", &attention->mask, scores, padding);
    Tensor *weights = softmax(tape, "weights", masked);
    weights = drop(tape, "weights_dropped", attention->dropout, weights);
    return matmul(tape, "context", weights, V);
}

/* MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O, where head_i = Attention(Q W_Q,
 * K W_K, V W_V) with part i of each matrix: section 3.2.2. */
static Tensor *multi_head(Tape *tape, const Attention *a, const AttentionInput *input,
                          KeyValueCache *cache) {
    const Projection query = {
        .name = "query",
        .layer = &a->query,
        .heads = a->heads,
        .rotary_base = a->rotary_base,
        .first = input->first,
        .x = input->query,
    };
    const Projection key = {
        .name = "key",
        .layer = &a->key,
        .heads = a->key_value_heads,
        .rotary_base = a->rotary_base,
        .first = input->first,
        .x = input->key,
        .padding = input->padding,
    };
    const Projection value = {
        .name = "value",
        .layer = &a->value,
        .heads = a->key_value_heads,
        .x = input->value,
        .padding = input->padding,
    };
    Tensor *Q = project_rotated(tape, &query, query.name);
    Tensor *K = cache_project(tape, &key, &cache->key, cache->is_complete);
    Tensor *V = cache_project(tape, &value, &cache->value, cache->is_complete);
    if (a->key_value_heads != a->heads) {
        K = repeat_heads(tape, "key_shared", K, a->heads);
        V = repeat_heads(tape, "value_shared", V, a->heads);
    }
    Tensor *heads = scaled_dot_product(tape, a, Q, K, V, input->padding);
    Tensor *concat = merge_heads(tape, "concat", heads);
    if (!a->output.weight)
        return activate(tape, "output", a->output_activation, concat);
    return project_output(tape, &a->output, a->output_activation, concat);
}

Tensor *attention_run(Tape *tape, const char *name, const Attention *attention,
                      const AttentionInput *input) {
    Where before = tape_enter(tape, name);
    KeyValueCache none = {0};
    Tensor *output =
        multi_head(tape, attention, input, input->cache ? input->cache : &none);
    tape_leave(tape, before);
    return output;
}
