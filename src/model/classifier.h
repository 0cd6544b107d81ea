/* classifier.h - give a sentence one of a few labels: a Transformer encoder and the
 * mean over its tokens, or a plain RNN and its last state, and then an output layer. */
#pragma once

#include "model/encoder.h"
#include "model/rnn.h"

/* Labels for rows of the tables, for logits and for a classifier's classes: a word
 * each, or NULL. They must outlive the weights. */
typedef struct {
    const char *const *source, *const *target;
    const char *const *names; /* of labels: see Axis */
    int name_rows;
} VocabularyLabels;

typedef struct {
    EncoderType type;
    Encoder encoder; /* for a Transformer */
    Embedding embedding;
    Rnn rnn; /* for an RNN */
    int pad_id;
    Tensor *table;          /* embeddings of the source's words */
    Axis label;             /* all labels, with their names */
    bool is_sigmoid;        /* two labels, and one logit for the second */
    Linear head;            /* [label, d_model]; for an RNN [label, hidden] */
    bool mean_with_padding; /* the mistake: the mean includes padding */
} Classifier;

Classifier classifier_new(Weights *weights, const Config *config,
                          VocabularyLabels labels);

/* Run the encoder -> "encoder.output" [batch, source, d_model], or for an RNN [batch,
 * source, hidden]. */
Encoded classifier_encode(Tape *tape, const Classifier *classifier, const Ids *source);

/* From the encoder's output compute "encoder.mean" [batch, d_model] over the tokens
 * that are not padding, or "encoder.last_state" [batch, hidden] after the last of them;
 * then "logits" [batch, label] (with a sigmoid, only for the second label) and, unless
 * training, "probabilities" [batch, label]. Returns the logits. */
Tensor *classifier_decide(Tape *tape, const Classifier *classifier,
                          const Encoded *source);
