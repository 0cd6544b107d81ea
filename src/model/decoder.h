/* decoder.h - the right half of Figure 1, section 3.1. */
#pragma once

#include "model/attention.h"
#include "model/embedding.h"
#include "model/feed_forward.h"
#include "model/sublayer.h"

typedef struct {
    Attention self_attention;
    Norm norm_1;
    Attention cross_attention;
    Norm norm_2;
    FeedForward feed_forward;
    Norm norm_3;
} DecoderLayer;

typedef struct {
    Embedding embedding;
    DecoderLayer layer[LAYERS_MAX];
    Norm final_norm; /* with final_norm */
} Decoder;

/* What a decoding remembers from step to step: a key/value cache. */
typedef struct {
    Memory self_attention[LAYERS_MAX], cross_attention[LAYERS_MAX];
    int tokens; /* how many have been decoded */
} DecoderMemory;

typedef struct {
    Tensor *ids;            /* [batch, target]: the tokens to be read now */
    Tensor *padding;        /* [batch, key]: of these and all remembered ones */
    Tensor *source;         /* [batch, source, d_model]: the encoder's output */
    Tensor *source_padding; /* [batch, source] */
    DecoderMemory *memory;  /* NULL: nothing is remembered */
} DecoderInput;

/* The layers; the embedding's table is the caller's. */
Decoder decoder_new(Weights *weights, const Config *config, Tensor *table);

/* -> "output" [batch, target, d_model]. */
Tensor *decoder_run(Tape *tape, const Decoder *decoder, const Config *config,
                    const DecoderInput *input);
