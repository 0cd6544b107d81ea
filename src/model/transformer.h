/* transformer.h - all of Figure 1: encoder, decoder, input and output. */
#pragma once

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/masked_words.h"

typedef struct {
    Encoder encoder;
    Decoder decoder;
    Linear head; /* "Linear" of Figure 1: [vocabulary, d_model]; with tie_embeddings its
                    weight is the decoder's table */
    MaskedWords masked_words; /* for masked language models; otherwise unused */
} Transformer;

Transformer transformer_new(Weights *weights, const Config *config);

/* Run the encoder on the source -> "encoder.output" [batch, source, d_model]. Also puts
 * encoder.ids and encoder.padding_mask on the tape. If there is no encoder, nothing
 * runs: the source is the prompt and must outlive the result. */
Encoded transformer_encode(Tape *tape, const Transformer *model, const Ids *source);

/* Run the decoder on the target's ids [batch, target] with cross-attention to the
 * encoder's output -> "logits" [batch, target, vocabulary], and unless training
 * "probabilities". With a cache: see decoder_run(). */
Tensor *transformer_decode(Tape *tape, const Transformer *model, const Encoded *source,
                           Tensor *target, DecoderCache *cache);

/* Does reading token by token with a cache give the same numbers as reading all at
 * once? Not if a token can attend to later ones. */
bool transformer_can_cache(const Config *config);
