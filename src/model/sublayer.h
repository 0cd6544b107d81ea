/* sublayer.h - "Add & Norm" of Figure 1: what stands around each attention and each
 * feed-forward, section 3.1. Post-norm is LayerNorm(x + Sublayer(x)), as in the paper;
 * pre-norm is x + Sublayer(LayerNorm(x)). */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "tensor/tape.h"

/* One sublayer on its way: `number` counts within the layer, from 1. */
typedef struct {
    const Norm *norm;
    int number;
    Tensor *x;      /* what comes in */
    Tensor *inside; /* what the sublayer gets: x, or with pre-norm its norm */
} Sublayer;

/* Before it runs: norm_k with pre-norm. */
Sublayer sublayer_begin(Tape *tape, const Norm *norm, const Config *config, int number,
                        Tensor *x);

/* After it ran: dropout while learning, add_k, and norm_k with post-norm. `from_norm`:
 * the mistake residual_from_norm, which adds to the normed input. */
Tensor *sublayer_end(Tape *tape, const Sublayer *sublayer, const Config *config,
                     bool from_norm, Tensor *output);
