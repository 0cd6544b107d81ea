/* transformer.h - the whole of Figure 1: encoder, decoder, and the way in and out. */
#pragma once

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/masked_words.h"

typedef struct {
    Encoder encoder;
    Decoder decoder;
    Linear head; /* "Linear" of Figure 1: [vocabulary, d_model]; with tie_embeddings its
                  * weight is the decoder's table */
    MaskedWords masked_words; /* of an encoder alone that has it; else no weights */
} Transformer;

Transformer transformer_new(Weights *weights, const Config *config);

/* The source through the encoder -> "encoder.output" [batch, source, d_model]. Also
 * puts encoder.ids and encoder.padding_mask on the tape. Without an encoder nothing
 * runs: the source is the prompt, and must outlive what is made of it. */
Encoded transformer_encode(Tape *tape, const Transformer *model, const Ids *source);

/* The target's ids [batch, target] through the decoder, which looks at what the encoder
 * made -> "logits" [batch, target, vocabulary], and "probabilities" where nothing is
 * learned. With a cache: see decoder_run(). */
Tensor *transformer_decode(Tape *tape, const Transformer *model, const Encoded *source,
                           Tensor *target, DecoderCache *cache);

/* Does reading one token after the other, with a cache, give the same numbers as
 * reading all at once? Not where a token can see what comes later. */
bool transformer_can_cache(const Config *config);
