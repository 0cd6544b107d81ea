/* sublayer.h - "Add & Norm" of Figure 1: the residual connection and norm around each
 * attention and feed-forward sublayer, section 3.1. Post-norm is LayerNorm(x +
 * Sublayer(x)), as in the paper; pre-norm is x + Sublayer(LayerNorm(x)). */
#pragma once

#include "ops/parameters.h"
#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

typedef struct {
    int number; /* within the layer, from 1: add_1 and norm_1 */
    NormPlace place;
    Norm norm;
    bool residual;
    bool from_norm; /* the mistake residual_from_norm: add to the norm instead of x */
    double dropout;
} AddNorm;

/* Declare its norm as `place`.`name`: "model.encoder.layers.0",
 * "self_attn_layer_norm". */
AddNorm add_norm_new(Weights *weights, const char *place, const char *name, int number,
                     const Config *config);

/* Return the input of the sublayer: x, or with pre-norm its norm_k. */
Tensor *sublayer_input(Tape *tape, const AddNorm *around, Tensor *x);

/* Combine x, the sublayer's input and its output: dropout during training, add_k, and
 * norm_k with post-norm. */
Tensor *sublayer_output(Tape *tape, const AddNorm *around, Tensor *x, Tensor *input,
                        Tensor *made);
