/* mask.h - which keys a query can attend to: padding is always masked, later tokens are
 * masked in a decoder and optionally in an encoder. Section 3.2.3. */
#pragma once

#include "ops/parameters.h"
#include "store/config.h"
#include "tensor/tape.h"

/* What one attention masks, and the value of masked scores. */
typedef struct {
    bool hides; /* false: nothing at all, the mistake padding_not_hidden */
    MaskSetting setting;
} MaskRule;

/* Rules for the decoder's self-attention, the encoder's self-attention, and
 * cross-attention: padding, and depending on the options, later or distant tokens. */
MaskRule mask_of_decoder(const Config *config, int layer);
MaskRule mask_of_encoder(const Config *config, int layer);
MaskRule mask_padding_only(const Config *config);

/* 1 if ids [batch, token] are padding, else 0 -> "padding_mask" [batch, token]. */
Tensor *padding_mask(Tape *tape, int pad_id, Tensor *ids);

/* Apply the rule and padding [batch, key] to scores [batch, head, query, key]; return
 * them unchanged if nothing is masked. */
Tensor *mask_scores(Tape *tape, const char *name, const MaskRule *rule, Tensor *scores,
                    Tensor *padding);
