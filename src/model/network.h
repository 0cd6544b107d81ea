/* network.h - the three types of model behind one face: whoever runs, decodes or
 * trains a model need not ask which one it is. */
#pragma once

#include "model/classifier.h"
#include "model/seq2seq.h"
#include "model/transformer.h"

typedef struct {
    ModelType type;
    union { /* the one that `type` says */
        Transformer transformer;
        Classifier classifier;
        Seq2seq seq2seq;
    };
} Network;

/* Declare the weights that the config asks for, and the boxes that use them. */
Network network_new(Weights *weights, const Config *config, VocabularyLabels labels);

/* The whole model on a batch -> "logits" [batch, target, vocabulary], or of a
 * classifier [batch, label]; without a decoder and without labels the encoder's output.
 * `target` is not read where there is no decoder and may be NULL then. */
Tensor *network_run(Tape *tape, const Network *network, const Ids *source,
                    const Ids *target);

/* The two halves of it: what the encoder makes of the source, and, given that, the
 * target's logits. `target` holds ids [batch, target] on the tape. With a cache, where
 * network_can_cache(), they are those behind the ids that were read before. */
Encoded network_encode(Tape *tape, const Network *network, const Ids *source);
Tensor *network_decode(Tape *tape, const Network *network, const Encoded *source,
                       Tensor *target, DecoderCache *cache);

/* The ids of a target as the decoder reads them: "decoder.ids" [batch, target]. */
Tensor *network_target(Tape *tape, const Ids *target);

/* What follows from the options alone. */
bool network_can_cache(const Config *config);

/* Can it go from a source to a target that it does not know yet? Fails with why not. */
bool network_generates(const Config *config, Error *error);

/* Does the padding of a short source change what the model says of it? Then a batch
 * that is to be learned from needs sources of one length: an LSTM reads on into the
 * padding, and nothing hides it from the attention. */
bool network_reads_padding(const Config *config);

/* Does a sentence look at the others of its batch? Then a batch cannot be shared out.
 */
bool network_mixes_batch(const Config *config);

/* Where the target looks at the source, one matrix a head, in the last layer:
 * "decoder.1.cross_attention.weights", in `arena`; NULL where there is no decoder, or
 * its keys are no tokens of the source. */
const char *network_alignment(const Config *config, Arena *arena);

/* "encoder-decoder, 2+2 layers, d_model 64, 4 heads", in `arena`. */
const char *network_describe(const Config *config, Arena *arena);
