/* evaluate.h - measure a model on sentences with known answers.
 *
 * Each pair is run separately, so that padding has no effect: once with the target as
 * input (teacher forcing), which gives the loss, and once by greedy decoding, which
 * gives the text. For a decoder-only model each row is a text, preceded only by
 * <start>. Sentences are split over the threads; the results do not depend on their
 * number. */
#pragma once

#include "data/corpus.h"
#include "learn/bleu.h"
#include "model/model.h"
#include "page/page.h"

/* The fraction of words for which the source word with the largest weight of one
 * attention is the word that they translate. */
typedef struct {
    const char *address; /* "decoder.1.cross_attention.weights[head=2]" */
    double share;
} AlignmentShare;

typedef struct {
    CorpusFile file;       /* path and columns; bad rows are skipped and counted */
    const char *alignment; /* its column; "": none; NULL: "alignment", or without a
                              header the third if it has alignments */
    Page *messages;        /* for progress; NULL: do not report it */
} EvaluateOptions;

typedef struct {
    int pairs;
    int bad_rows, too_long;        /* skipped: unreadable, longer than max_length */
    int first_bad, first_too_long; /* line number of the first of each */
    long long tokens;  /* in the targets, with <end>; for a classifier: labels */
    double loss;       /* mean of -log p over tokens */
    double perplexity; /* exp(loss) */
    double accuracy;   /* fraction of tokens with the largest logit */

    /* For models with a target. A decoder-only model has none; its continuation of a
     * text is not compared. */
    int exact;   /* sentences decoded exactly as the target, with <end> */
    Bleu counts; /* of the decoded texts, compared with the file */
    double bleu; /* 0 to 100 */

    /* With an alignment column: over all target words that translate a source word. */
    int content_words;    /* 0: no alignments */
    AlignmentShare *head; /* for each head of each layer */
    AlignmentShare *mean; /* for the mean over the heads of each layer */
    int heads, means;
    AlignmentShare best_head, best_mean;

    /* Confusion matrix of a classifier, labels x labels: how often the row's label was
     * predicted as the column's. */
    int *confusion;
} Evaluation;

/* Measure `model`; results are in `arena`. Fails if the model generates neither text
 * nor labels or has no tokenizer, or if the file has no usable pairs. */
bool evaluate(const Model *model, const EvaluateOptions *options, Arena *arena,
              Evaluation *evaluation, Error *error);
