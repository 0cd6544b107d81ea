/* evaluate.h - how good a model is: its figures on sentences whose answer is known.
 *
 * Each pair is run by itself, so no padding has a part in it: once with the wanted
 * target (teacher forcing), which gives the loss, and once by greedy decoding, which
 * gives the text. Of a decoder alone each row is a text, behind <start> and with
 * nothing else in front. Sentences are shared by the threads; the figures do not depend
 * on how many there are. */
#pragma once

#include "data/corpus.h"
#include "learn/bleu.h"
#include "model/model.h"
#include "page/page.h"

/* For how many words the source word with the largest weight of one attention is the
 * one that it translates. */
typedef struct {
    const char *address; /* "decoder.1.cross_attention.weights[head=2]" */
    double share;
} AlignmentShare;

typedef struct {
    CorpusFile file;       /* path and columns; bad rows are skipped and counted */
    const char *alignment; /* its column; "": none; NULL: the one called "alignment", or
                              without a header the third, if that is what it holds */
    Page *messages;        /* how far it is; NULL: that is not said */
} EvaluateOptions;

typedef struct {
    int pairs;
    int bad_rows, too_long;        /* left out: not readable, longer than max_length */
    int first_bad, first_too_long; /* their first lines */
    long long tokens;  /* of the targets, with <end>; of a classifier the labels */
    double loss;       /* mean of -log p over them */
    double perplexity; /* exp(loss) */
    double accuracy;   /* share of them with the largest logit */

    /* Of a model that says a target; a decoder alone says the text itself, and what it
     * would say instead is not held against it. */
    int exact;   /* decoded token for token as wanted, <end> included */
    Bleu counts; /* of the text it said, beside the text in the file */
    double bleu; /* 0 to 100 */

    /* With a column of alignments, over all words that translate one. */
    int content_words;    /* 0: there is no alignment */
    AlignmentShare *head; /* of every layer */
    AlignmentShare *mean; /* of all heads of a layer together, one for each layer */
    int heads, means;
    AlignmentShare best_head, best_mean;

    /* Of a classifier: how often the label of the row was said to be that of the
     * column, labels x labels. */
    int *confusion;
} Evaluation;

/* Measure `model`; what is found lies in `arena`. Fails when the model gives neither
 * text nor labels or reads ids only, or the file has no such pairs. */
bool evaluate(const Model *model, const EvaluateOptions *options, Arena *arena,
              Evaluation *evaluation, Error *error);
