/* attention.h - "Multi-Head Attention" of Figure 1, section 3.2. */
#pragma once

#include "model/cache.h"
#include "model/mask.h"
#include "store/weights.h"

/* W_Q, W_K, W_V and W_O of all heads together, each [d_model, d_model], W_K and W_V
 * with fewer rows where heads share theirs, and how they are used. Without a W_O its
 * weight is NULL. */
typedef struct {
    Linear query, key, value, output;
    int heads, key_value_heads;
    double rotary_base;           /* 0: queries and keys are not turned */
    bool scale_scores;            /* by 1 / sqrt(d_k) */
    MaskRule mask;                /* what may not be looked at */
    double dropout;               /* of the weights, while learning */
    Activation output_activation; /* the paper has none */
} Attention;

/* Who asks whom. */
typedef struct {
    Tensor *query;        /* [batch, query, d_model]: the tokens that ask */
    Tensor *key;          /* [batch, key, d_model]: those that are compared with */
    Tensor *value;        /* [batch, key, d_model]: those that answer: as a rule key */
    Tensor *padding;      /* [batch, key]: 1 where nobody may look */
    int first;            /* position of the first token that asks */
    KeyValueCache *cache; /* NULL: everything is computed */
} AttentionInput;

/* `place` is "model.encoder.layers.0.self_attn". */
Attention attention_new(Weights *weights, const char *place, const Config *config,
                        MaskRule mask);

/* MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O -> [batch, query, d_model].
 * Every tensor on the way is on the tape under `name`. */
Tensor *attention_run(Tape *tape, const char *name, const Attention *attention,
                      const AttentionInput *asked);
