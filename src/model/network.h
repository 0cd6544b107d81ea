/* network.h - one interface for the three types of model: code that runs, decodes or
 * trains a model does not need to know the type. */
#pragma once

#include "model/classifier.h"
#include "model/seq2seq.h"
#include "model/transformer.h"

typedef struct {
    ModelType type;
    union { /* selected by `type` */
        Transformer transformer;
        Classifier classifier;
        Seq2seq seq2seq;
    };
} Network;

/* Declare the weights for the config, and the boxes that use them. */
Network network_new(Weights *weights, const Config *config, VocabularyLabels labels);

/* Run the whole model on a batch -> "logits" [batch, target, vocabulary], or [batch,
 * label] for a classifier; with neither a decoder nor labels, the encoder's output.
 * `target` may be NULL if there is no decoder. */
Tensor *network_run(Tape *tape, const Network *network, const Ids *source,
                    const Ids *target);

/* Its two halves: run the encoder on the source; then compute the target's logits.
 * `target` has ids [batch, target] on the tape. With a cache, which requires
 * network_can_cache(), they follow the ids read so far. */
Encoded network_encode(Tape *tape, const Network *network, const Ids *source);
Tensor *network_decode(Tape *tape, const Network *network, const Encoded *source,
                       Tensor *target, DecoderCache *cache);

/* Put the ids of a target on the tape as the decoder reads them: "decoder.ids" [batch,
 * target]. */
Tensor *network_target(Tape *tape, const Ids *target);

/* Properties that depend only on the options. */
bool network_can_cache(const Config *config);

/* Can the model generate a target from a source? If not, fails with the reason. */
bool network_generates(const Config *config, Error *error);

/* Does the padding of a short source change the model's output? Then training batches
 * need sources of equal length: an LSTM reads the padding, and no mask hides it from
 * attention. */
bool network_reads_padding(const Config *config);

/* Does a sentence affect others in its batch? Then a batch cannot be split. */
bool network_mixes_batch(const Config *config);

/* Return the address of the last layer's attention from target to source, one matrix
 * per head: "decoder.1.cross_attention.weights", in `arena`; NULL if there is no
 * decoder or its keys are not source tokens. */
const char *network_alignment(const Config *config, Arena *arena);

/* Return "encoder-decoder, 2+2 layers, d_model 64, 4 heads", in `arena`. */
const char *network_describe(const Config *config, Arena *arena);
