/* cache.h - a key/value cache: results that decoding does not have to recompute.
 *
 * The keys and values of a token do not change when more tokens follow, so each step
 * projects only the new token and appends its keys to those of the previous steps. */
#pragma once

#include "model/projection.h"
#include "store/config.h"

/* The cache of one attention. */
typedef struct {
    Tensor *key, *value; /* [batch, head, token, d_head]; NULL before the first step */
    bool is_complete;    /* no more tokens follow: computed from the encoder's output */
} KeyValueCache;

/* The cache of all decoder layers. */
typedef struct {
    KeyValueCache self_attention[LAYERS_MAX], cross_attention[LAYERS_MAX];
    Tensor *padding; /* [batch, token]: for the tokens read so far */
    int tokens;      /* their number */
} DecoderCache;

/* Return an empty cache, before the first step. */
DecoderCache decoder_cache_new(void);

/* Return the keys or values of all tokens so far, under their name -> [batch, head,
 * key, d_head]. `*kept`, a field of a cache, stores them for the next step, which does
 * not recompute them. */
Tensor *cache_project(Tape *tape, const Projection *projection, Tensor **kept,
                      bool is_complete);

/* Append the padding of the new tokens [batch, token], and return that of all
 * tokens. */
Tensor *cache_padding(Tape *tape, DecoderCache *cache, Tensor *padding);
