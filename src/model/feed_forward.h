/* feed_forward.h - "Feed Forward" of Figure 1, section 3.3. */
#pragma once

#include "model/projection.h"
#include "store/config.h"
#include "store/weights.h"

typedef struct {
    Linear inner; /* W_1 [d_ff, d_model], b_1 */
    Linear gate;  /* W_g [d_ff, d_model], b_g; or without a weight */
    Linear outer; /* W_2 [d_model, d_ff], b_2 */
    Activation activation;
    Activation output_activation; /* the paper has none */
    double dropout;               /* of what is activated, while learning */
    bool activation_dropped;      /* the mistake: the second layer reads "hidden" */
} FeedForward;

/* `place` is "model.encoder.layers.0"; the weights are called fc1 and fc2,
 * and fc_gate. */
FeedForward feed_forward_new(Weights *weights, const char *place, const Config *config);

/* FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, equation 2, each token alone: [batch, token,
 * d_model] -> the same. On the tape as hidden, activated and output. With a gate (x W_g
 * + b_g through the activation) × (x W_1 + b_1) takes the place of what is activated:
 * Shazeer 2020, arXiv:2002.05202; on the tape as gate, activated, hidden, gated and
 * output. */
Tensor *feed_forward_run(Tape *tape, const FeedForward *feed_forward, Tensor *x);
