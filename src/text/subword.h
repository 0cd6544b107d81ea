/* subword.h - the models of tokenizer.json: how a piece of a sentence becomes tokens of
 * a vocabulary. */
#pragma once

#include "text/bytepair.h"

typedef enum {
    SUBWORD_PAIRS,   /* BPE: characters, joined by merges */
    SUBWORD_LONGEST, /* WordPiece: the longest token at the start of the rest of a word
                      */
    SUBWORD_BEST,  /* Unigram (Kudo 2018): the tokens with the largest sum of scores */
    SUBWORD_WHOLE, /* WordLevel: the piece is a token, or unknown */
} SubwordKind;

typedef struct {
    SubwordKind kind;
    const Vocabulary *vocabulary;
    int unknown;        /* the id of unknown text; -1: unknown text is dropped */
    bool fuse_unknown;  /* adjacent unknown tokens become one */
    bool byte_fallback; /* an unknown character becomes its bytes, "<0xEA>" */
    /* SUBWORD_PAIRS */
    BytePair merges;
    bool ignore_merges; /* a piece that is a token is not split */
    /* SUBWORD_LONGEST */
    const char *continuing; /* prefix of tokens that do not start a word: ## */
    long long letters_max;  /* a longer word is unknown */
    /* SUBWORD_BEST */
    const double *score; /* by id, log probabilities */
    double lowest;       /* the lowest score */
    int longest;         /* length in bytes of the longest token */
} Subword;

/* Split a piece into tokens: `id` gets their ids and `bytes` their lengths in bytes;
 * both have room for `length`. Returns the number of tokens. */
int subword_cut(const Subword *model, const char *piece, int length, int *id,
                int *bytes, Arena *scratch);

/* For SUBWORD_PAIRS: the tokens before the first merge. */
int subword_begin(const Subword *model, const char *piece, int length, int *id,
                  int *bytes);
