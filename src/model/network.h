/* network.h - the three types of model behind one face: whoever runs, decodes or
 * trains a model need not ask which one it is. */
#pragma once

#include "model/model.h"

/* Declare the model's weights, by its config, and call their axes by its words. */
void network_build(Model *model);

/* The whole model on a batch -> "logits" [batch, target, vocabulary], or of a
 * classifier [batch, label]; without a decoder and without labels the encoder's output.
 * `target` is not read where there is no decoder and may be NULL then. */
Tensor *network_run(Tape *tape, const Model *model, const Ids *source,
                    const Ids *target);

/* The two halves of it: the source -> "encoder.output", then, with that on the same
 * tape, the target -> logits. With a `memory`, where network_remembers(), `target`
 * holds all tokens so far and only those beyond the memory are read. */
Tensor *network_encode(Tape *tape, const Model *model, const Ids *source);
Tensor *network_decode(Tape *tape, const Model *model, const Ids *target,
                       DecoderMemory *memory);
bool network_remembers(const Model *model);

/* Can it go from a source to a target that it does not know yet? Fails with why not. */
bool network_generates(const Model *model, Error *error);

/* Does the padding of a short source change what the model says of it? Then a batch
 * that is to be learned from needs sources of one length: an LSTM reads on into the
 * padding, and nothing hides it from the attention. */
bool network_reads_padding(const Model *model);

/* Where the target looks at the source, one matrix a head, in the last layer:
 * "decoder.1.cross_attention.weights", in `arena`; NULL where there is no decoder. */
const char *network_alignment(const Model *model, Arena *arena);

/* "encoder-decoder, 2+2 layers, d_model 64, 4 heads", in `arena`. */
const char *network_describe(const Model *model, Arena *arena);
