/* feed_forward.h - "Feed Forward" of Figure 1, section 3.3. */
#pragma once

#include "model/projection.h"
#include "store/config.h"
#include "store/weights.h"

typedef struct {
    Linear inner; /* W_1 [d_ff, d_model], b_1 */
    Linear gate;  /* W_g [d_ff, d_model], b_g; weight NULL: no gate */
    Linear outer; /* W_2 [d_model, d_ff], b_2 */
    Activation activation;
    Activation output_activation; /* the paper has none */
    double dropout;               /* of "activated", during training */
    bool activation_dropped;      /* the mistake: the second layer reads "hidden" */
} FeedForward;

/* Declare the weights; `place` is "model.encoder.layers.0", the names are fc1, fc2 and
 * fc_gate. */
FeedForward feed_forward_new(Weights *weights, const char *place, const Config *config);

/* FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, equation 2, for each token: [batch, token,
 * d_model] -> the same. On the tape: hidden, activated and output. With a gate,
 * activation(x W_g + b_g) × (x W_1 + b_1) replaces the activated numbers: Shazeer 2020,
 * arXiv:2002.05202; on the tape: gate, activated, hidden, gated and output. */
Tensor *feed_forward_run(Tape *tape, const FeedForward *feed_forward, Tensor *x);
