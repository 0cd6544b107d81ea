/* transformer.h - the whole of Figure 1: encoder, decoder, and the way in and out. */
#pragma once

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/ids.h"

typedef struct {
    Encoder encoder;
    Decoder decoder;
    Linear head; /* "Linear" of Figure 1: [vocabulary, d_model]; with tie_embeddings its
                  * weight is the decoder's table */
} Transformer;

Transformer transformer_new(Weights *weights, const Config *config);

/* The source through the encoder -> "encoder.output" [batch, source, d_model]. Also
 * puts encoder.ids and encoder.padding_mask on the tape. */
Tensor *transformer_encode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *source);

/* The target through the decoder, given encoder.output on the same tape -> "logits"
 * [batch, target, vocabulary], and "probabilities" where nothing is learned. With a
 * `memory`, `target` holds all tokens so far and only those beyond the memory are
 * read. */
Tensor *transformer_decode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *target, DecoderMemory *memory);

/* Both: what teacher forcing sees. Without decoder layers the source alone. Returns the
 * last tensor. */
Tensor *transformer_run(Tape *tape, const Transformer *model, const Config *config,
                        const Ids *source, const Ids *target);

/* Does reading one token after the other, with a memory, give the same numbers as
 * reading all at once? Not where a token can see what comes later. */
bool transformer_remembers(const Config *config);
