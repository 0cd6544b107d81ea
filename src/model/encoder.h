/* encoder.h - the left half of Figure 1, section 3.1. */
#pragma once

#include "model/attention.h"
#include "model/embedding.h"
#include "model/encoded.h"
#include "model/feed_forward.h"
#include "model/ids.h"
#include "model/sublayer.h"

typedef struct {
    Attention self_attention;
    AddNorm around_attention;
    FeedForward feed_forward;
    AddNorm around_feed_forward;
} EncoderLayer;

typedef struct {
    Embedding embedding;
    EncoderLayer layer[LAYERS_MAX];
    int layers;
    bool has_feed_forward; /* d_ff is not 0 */
    bool has_final_norm;
    Norm final_norm;
    int pad_id;
} Encoder;

/* Declare the layers; the caller owns the embedding table. */
Encoder encoder_new(Weights *weights, const Config *config, Tensor *table);

/* Run the source through all layers -> "encoder.output" [batch, source, d_model], with
 * its padding. */
Encoded encoder_run(Tape *tape, const Encoder *encoder, const Ids *source);
