/* encoder.h - the left half of Figure 1, section 3.1. */
#pragma once

#include "model/attention.h"
#include "model/embedding.h"
#include "model/feed_forward.h"
#include "model/ids.h"
#include "model/sublayer.h"

typedef struct {
    Attention self_attention;
    Norm norm_1;
    FeedForward feed_forward;
    Norm norm_2;
} EncoderLayer;

typedef struct {
    Embedding embedding;
    EncoderLayer layer[LAYERS_MAX];
    Norm final_norm; /* with final_norm */
} Encoder;

/* The layers; the embedding's table is the caller's. */
Encoder encoder_new(Weights *weights, const Config *config, Tensor *table);

/* ids [batch, source], padding [batch, source] -> "output" [batch, source, d_model]. */
Tensor *encoder_run(Tape *tape, const Encoder *encoder, const Config *config,
                    Tensor *ids, Tensor *padding);

/* The same with all that goes before, under "encoder.": the ids on the tape, and which
 * of them are padding. */
Tensor *encoder_read(Tape *tape, const Encoder *encoder, const Config *config,
                     const Ids *source);
