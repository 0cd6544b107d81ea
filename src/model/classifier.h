/* classifier.h - a sentence in, one of a few labels out: the encoder of a Transformer
 * and the mean of its tokens, or a plain RNN and its last state; one output layer. */
#pragma once

#include "model/encoder.h"
#include "model/rnn.h"

/* What the rows of the tables, the logits and a classifier's labels are called: a word
 * for each, or NULL. They must outlive the weights. */
typedef struct {
    const char *const *source, *const *target;
    const char *const *names; /* of labels: see Axis */
    int name_rows;
} VocabularyLabels;

typedef struct {
    EncoderType type;
    Encoder encoder; /* of a Transformer */
    Embedding embedding;
    Rnn rnn; /* or these two */
    int pad_id;
    Tensor *table;          /* of the source's words */
    Axis label;             /* all labels, by their names */
    bool is_sigmoid;        /* one logit, for the second of two labels */
    Linear head;            /* [label, d_model], behind an RNN [label, hidden] */
    bool mean_with_padding; /* the mistake: padding counts in the mean */
} Classifier;

Classifier classifier_new(Weights *weights, const Config *config,
                          VocabularyLabels labels);

/* The source through the encoder -> "encoder.output" [batch, source, d_model], or of an
 * RNN [batch, source, hidden]. */
Encoded classifier_encode(Tape *tape, const Classifier *classifier, const Ids *source);

/* What the encoder made -> "encoder.mean" [batch, d_model] over the tokens that are not
 * padding, or "encoder.last_state" [batch, hidden] after the last of them; "logits"
 * [batch, label], with a sigmoid of the second label alone, and "probabilities" [batch,
 * label] where nothing is learned. Returns the logits. */
Tensor *classifier_decide(Tape *tape, const Classifier *classifier,
                          const Encoded *source);
