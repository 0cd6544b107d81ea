/* bleu.h - how much of what was said is in what was wanted: BLEU of a whole corpus
 * (Papineni and others 2002), as sacreBLEU defines it (Post 2018, "A Call for Clarity
 * in Reporting BLEU Scores"). In its notation:
 *
 *     nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp
 *
 * The precision of N is the share of runs of N words, of all that was said, that the
 * wanted sentence has too, each of its runs counting once. BLEU is the geometric mean
 * of the precisions of 1 to 4, times the brevity penalty exp(1 - wanted / said) where
 * fewer words were said than wanted. */
#pragma once

#include "base/arena.h"

enum { BLEU_LONGEST = 4 };

/* What is counted, so that sentences can be added up in any order. */
typedef struct {
    long long right[BLEU_LONGEST]; /* runs of 1, 2, 3, 4 words that were wanted */
    long long runs[BLEU_LONGEST];  /* all that were said */
    long long said, wanted;        /* words */
} Bleu;

/* The text as words with a space between two, in `arena`: punctuation apart, but not
 * the point and the comma within a number, nor apostrophes and hyphens (tokenisation
 * "13a", that of NIST's mteval-v13a). */
const char *bleu_words(const char *text, Arena *arena);

/* Count a sentence: plain text, cut into words here. */
void bleu_add(Bleu *bleu, const char *said, const char *wanted);

/* Add what another one has counted. */
void bleu_join(Bleu *bleu, const Bleu *other);

/* From 0 to 100. The k-th of the precisions that would be 0 counts 1 / 2^k of one run
 * instead (smoothing "exp", Chen and Cherry 2014, method 3). 0 where no word is right,
 * or no sentence has four words. */
double bleu_score(const Bleu *bleu);
