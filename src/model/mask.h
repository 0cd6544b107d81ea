/* mask.h - who may look where: padding is hidden from everybody, what comes later from
 * a decoder, and on request from an encoder. Section 3.2.3. */
#pragma once

#include "ops/parameters.h"
#include "store/config.h"
#include "tensor/tape.h"

/* What one attention hides, beside padding, and what is in a hidden place. */
typedef struct {
    bool hides; /* false: nothing at all, the mistake padding_not_hidden */
    MaskSetting setting;
} MaskRule;

/* For the decoder's look at itself, the encoder's at itself, and the decoder's at the
 * encoder: padding, and what comes later or is far away where the options say so. */
MaskRule mask_of_decoder(const Config *config, int layer);
MaskRule mask_of_encoder(const Config *config, int layer);
MaskRule mask_padding_only(const Config *config);

/* 1 where ids [batch, token] are padding, else 0 -> "padding_mask" [batch, token]. */
Tensor *padding_mask(Tape *tape, int pad_id, Tensor *ids);

/* scores [batch, head, query, key] as the rule and padding [batch, key] leave them;
 * themselves where nothing is hidden. */
Tensor *mask_scores(Tape *tape, const char *name, const MaskRule *rule, Tensor *scores,
                    Tensor *padding);
