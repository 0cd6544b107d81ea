/* attention.h - "Multi-Head Attention" of Figure 1, section 3.2. */
#pragma once

#include "model/cache.h"
#include "model/mask.h"
#include "store/weights.h"

/* W_Q, W_K, W_V and W_O for all heads, each [d_model, d_model], and options. In
 * grouped-query attention, W_K and W_V have fewer rows. Without W_O, its weight is
 * NULL. */
typedef struct {
    Linear query, key, value, output;
    int heads, key_value_heads;
    double rotary_base; /* set by a layer for self-attention; 0: no rotation */
    bool scale_scores;  /* by 1 / sqrt(d_k) */
    MaskRule mask;      /* which keys are masked */
    double dropout;     /* of the weights, during training */
    Activation output_activation; /* the paper has none */
} Attention;

/* The inputs of an attention. */
typedef struct {
    Tensor *query;   /* [batch, query, d_model]: input of the queries */
    Tensor *key;     /* [batch, key, d_model]: input of the keys */
    Tensor *value;   /* [batch, key, d_model]: input of the values, usually the same */
    Tensor *padding; /* [batch, key]: 1 for padding, which is masked */
    int first;       /* position of the first query */
    KeyValueCache *cache; /* NULL: no cache */
} AttentionInput;

/* Declare the weights; `place` is "model.encoder.layers.0.self_attn". */
Attention attention_new(Weights *weights, const char *place, const Config *config,
                        MaskRule mask);

/* MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O -> [batch, query, d_model]. All
 * intermediate tensors are on the tape under `name`. */
Tensor *attention_run(Tape *tape, const char *name, const Attention *attention,
                      const AttentionInput *input);
