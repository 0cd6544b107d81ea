/* decoder.h - the right half of Figure 1, section 3.1. */
#pragma once

#include "model/attention.h"
#include "model/embedding.h"
#include "model/encoded.h"
#include "model/feed_forward.h"
#include "model/ids.h"
#include "model/sublayer.h"

typedef struct {
    Attention self_attention;
    AddNorm around_self_attention;
    Attention cross_attention;
    AddNorm around_cross_attention;
    FeedForward feed_forward;
    AddNorm around_feed_forward;
} DecoderLayer;

typedef struct {
    Embedding embedding;
    DecoderLayer layer[LAYERS_MAX];
    int layers;
    bool has_cross_attention;      /* there is an encoder to attend to */
    bool has_feed_forward;         /* d_ff is not 0 */
    bool cross_query_from_encoder; /* the mistake: the source provides the queries */
    bool has_final_norm;
    Norm final_norm;
    int pad_id;
} Decoder;

/* Declare the layers; the caller owns the embedding table. */
Decoder decoder_new(Weights *weights, const Config *config, Tensor *table);

/* Run the target's ids [batch, target] through all layers -> "output" [batch, target,
 * d_model]. With a cache, they continue the one sentence read so far, and one array
 * holds the labels of all its tokens consecutively. */
Tensor *decoder_run(Tape *tape, const Decoder *decoder, const Encoded *source,
                    Tensor *ids, DecoderCache *cache);
