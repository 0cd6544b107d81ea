/* cache.h - a key/value cache: what a decoding need not compute again.
 *
 * The keys and values of a token do not change when more tokens follow, so each step
 * projects the new token alone and puts its keys behind those of the steps before. */
#pragma once

#include "model/projection.h"
#include "store/config.h"

/* Of one attention. */
typedef struct {
    Tensor *key, *value; /* [batch, head, token, d_head]; NULL before the first step */
    bool is_complete;    /* no tokens follow: they are those of the encoder's output */
} KeyValueCache;

/* Of all the decoder's layers. */
typedef struct {
    KeyValueCache self_attention[LAYERS_MAX], cross_attention[LAYERS_MAX];
    Tensor *padding; /* [batch, token]: of the tokens that have been read */
    int tokens;      /* how many these are */
} DecoderCache;

/* Empty: before the first step. */
DecoderCache decoder_cache_new(void);

/* Those of all tokens there are, under their name -> [batch, head, key, d_head]. In
 * `*kept`, a field of a cache, they stay for the next step; what is kept there already
 * is not computed again. */
Tensor *cache_project(Tape *tape, const Projection *made, Tensor **kept,
                      bool is_complete);

/* The padding of all tokens, from that of the new ones [batch, token]; it stays for the
 * next step. */
Tensor *cache_padding(Tape *tape, DecoderCache *cache, Tensor *padding);
