/* alignment.h - which word of the source each word of the target translates, and does
 * the attention know?
 *
 * A file says it in a column "alignment", as grammar_export() writes it: a number for
 * each word of the target, the word of the source from 0, or 2+3 where it translates
 * both ("living room" is one word in Korean), or -1 for words that translate none.
 * Words stand between spaces; . , ? and ! are words of their own. */
#pragma once

#include "data/corpus.h"
#include "model/model.h"

typedef struct {
    const bool *aligned;    /* [target word, source word]: does it translate that? */
    const bool *translates; /* [target word]: any at all */
    const int *source_word, *target_word; /* for each token its word, or -1 */
    int source_words, target_words;
    int sources, targets; /* tokens, without <start> and <end> */
    int content;          /* words of the target that translate one */
} Alignment;

/* What the column says of each pair of the corpus, in `arena`; `*numbers` is NULL where
 * there is none. `column`: its name or number, "": none; NULL: the one that a header
 * calls "alignment", or without a header the third, if it fits the first pair. A corpus
 * whose header was known by that name alone is read again. */
bool alignment_read(const CorpusFile *file, const char *column, Corpus *corpus,
                    Arena *arena, const char *const **numbers, Error *error);

/* The alignment of a pair whose column says `numbers`, in `arena`. Fails where they do
 * not fit the words. */
bool alignment_new(Alignment *alignment, const Pair *pair, const char *numbers,
                   const Model *model, Arena *arena, Error *error);

/* How many heads cross-attention weights have: [batch, head, query, key], or without
 * heads [batch, query, key]. */
int alignment_heads(const Tensor *weights);

/* For how many content words the source word with the largest weight is a right one,
 * with one sentence in `weights` and teacher forcing; head -1: in the mean over all
 * heads. A word's weight is the sum over its tokens; <end> counts as a word, and a
 * wrong one. The row of a token is the one that says it, in which the decoder reads
 * the token before. */
int alignment_right(const Alignment *alignment, const Tensor *weights, int head);
