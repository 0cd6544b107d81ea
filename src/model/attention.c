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

/* What x becomes: "query" by W_Q, "key" by W_K, "value" by W_V. */
typedef struct {
    const char *name;
    const Linear *weights;
    Tensor *x;
} Projection;

/* x W^T + b, cut into heads of d_head numbers, called `heads`: section 3.2.2. */
static Tensor *project(Tape *tape, const Projection *p, const char *heads,
                       const Config *config) {
    char name[32];
    snprintf(name, sizeof name, "%s_projection", p->name);
    Tensor *y = linear(tape, name, p->x, p->weights);
    tensor_name_axis(y, 1, "token");
    return split_heads(tape, heads, y, config->attention_heads);
}

/* Behind the keys or values that are remembered, those of x. */
static Tensor *project_more(Tape *tape, const Projection *p, const Config *config,
                            const Look *look, Tensor *remembered) {
    char fresh[32];
    snprintf(fresh, sizeof fresh, "%s_new", p->name);
    Tensor *more = project(tape, p, fresh, config);
    Tensor *all = append(tape, p->name, remembered, more);
    if (!all) return NULL;
    all->axis[2].labels = look->padding->axis[1].labels;
    all->axis[2].label_rows = look->padding->axis[1].label_rows;
    return all;
}

/* The keys or values of all tokens there are to look at; they are remembered. */
static Tensor *project_all(Tape *tape, const Projection *p, const Config *config,
                           const Look *look, Tensor **remembered) {
    if (!*remembered)
        *remembered = project(tape, p, p->name, config);
    else if (look->key_is_remembered)
        tape_alias(tape, p->name, *remembered);
    else
        *remembered = project_more(tape, p, config, look, *remembered);
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
    Projection query = {"query", &attention->query, look->query};
    Projection key = {"key", &attention->key, look->key};
    Projection value = {"value", &attention->value, look->value};
    Tensor *Q = project(tape, &query, query.name, config);
    Tensor *K = project_all(tape, &key, config, look, &memory->key);
    Tensor *V = project_all(tape, &value, config, look, &memory->value);
    Tensor *context = attend(tape, config, look, Q, K, V);
    Tensor *concat = merge_heads(tape, "concat", context);
    bool plain = config->attention_output_activation == ACTIVATION_NONE;
    Tensor *output = linear(tape, plain ? "output" : "output_projection", concat,
                            &attention->output);
    if (!plain)
        output = activate(tape, "output", config->attention_output_activation, output);
    tape_leave(tape, before);
    return output;
}
