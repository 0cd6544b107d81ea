/* attention.h - "Multi-Head Attention" of Figure 1, section 3.2. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

/* The projections W_Q, W_K, W_V and W_O of all heads together. */
typedef struct {
    Linear query, key, value, output;
} Attention;

/* Keys and values of the tokens before, kept from step to step of a decoding. */
typedef struct {
    Tensor *key, *value; /* [batch, head, token, d_head]; NULL before the first step */
} Memory;

/* Who asks whom. */
typedef struct {
    Tensor *query;   /* [batch, query, d_model]: the tokens that ask */
    Tensor *key;     /* [batch, key, d_model]: those that are compared with */
    Tensor *value;   /* [batch, key, d_model]: those that answer; as a rule the key */
    Tensor *padding; /* [batch, key]: 1 where nobody may look */
    int mask_flags;
    Memory *memory; /* NULL: nothing is remembered */
    bool
        key_is_remembered; /* the memory holds all keys already: the encoder's output */
} Look;

Attention attention_new(Weights *weights, const char *place, const Config *config);

/* MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O -> [batch, query, d_model].
 * Every tensor on the way is on the tape under `name`. */
Tensor *attention_run(Tape *tape, const char *name, const Attention *attention,
                      const Config *config, const Look *look);
