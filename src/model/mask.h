/* mask.h - who may look where: padding is hidden from everybody, what comes later from
 * a decoder. Section 3.2.3. */
#pragma once

#include "store/config.h"
#include "tensor/tape.h"

/* 1 where ids [batch, token] are padding, else 0 -> "padding_mask" [batch, token]. */
Tensor *padding_mask(Tape *tape, const Config *config, const Tensor *ids);

/* The flags of op_mask for a look at oneself in the decoder, and for any other look. */
int mask_flags_decoder(const Config *config);
int mask_flags(const Config *config);
