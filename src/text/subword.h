/* subword.h - the models of tokenizer.json: how one piece of a sentence becomes tokens
 * of a vocabulary. */
#pragma once

#include "text/bytepair.h"

typedef enum {
    SUBWORD_PAIRS,   /* BPE: characters, joined by merges */
    SUBWORD_LONGEST, /* WordPiece: the longest token that begins the rest of a word */
    SUBWORD_BEST,  /* Unigram (Kudo 2018): the tokens with the largest sum of scores */
    SUBWORD_WHOLE, /* WordLevel: the piece is a token, or unknown */
} SubwordKind;

typedef struct {
    SubwordKind kind;
    const Vocabulary *vocabulary;
    int unknown;        /* the id of what is not known; -1: it is left out */
    bool fuse_unknown;  /* unknown ones side by side are one token */
    bool byte_fallback; /* an unknown character becomes its bytes, "<0xEA>" */
    /* SUBWORD_PAIRS */
    BytePair merges;
    bool ignore_merges; /* a piece that is a token stays whole */
    /* SUBWORD_LONGEST */
    const char *continuing; /* in front of tokens that do not begin a word: ## */
    long long letters_most; /* a longer word is unknown */
    /* SUBWORD_BEST */
    const double *score; /* by id, logarithms of probabilities */
    double lowest;       /* of them */
    int longest;         /* bytes of the longest token */
} Subword;

/* The tokens of a piece, in `id`, and how many of its bytes each covers; both with room
 * for `length`. Returns how many. */
int subword_cut(const Subword *model, const char *piece, int length, int *id,
                int *bytes, Arena *scratch);

/* Of SUBWORD_PAIRS: what there is before the first merge. */
int subword_begin(const Subword *model, const char *piece, int length, int *id,
                  int *bytes);
