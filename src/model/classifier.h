/* classifier.h - a sentence in, one of a few labels out: the encoder of a Transformer,
 * the mean of its tokens, one output layer. */
#pragma once

#include "model/encoder.h"

typedef struct {
    Encoder encoder;
    Linear head;            /* [label, d_model] */
    bool mean_with_padding; /* the mistake: padding counts in the mean */
} Classifier;

Classifier classifier_new(Weights *weights, const Config *config);

/* The source through the encoder -> "encoder.output" [batch, source, d_model]. */
Encoded classifier_encode(Tape *tape, const Classifier *classifier, const Ids *source);

/* What the encoder made -> "encoder.mean" [batch, d_model] over the tokens that are not
 * padding, "logits" [batch, label], and "probabilities" where nothing is learned.
 * Returns the logits. */
Tensor *classifier_decide(Tape *tape, const Classifier *classifier,
                          const Encoded *source);
