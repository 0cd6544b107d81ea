/* bleu.h - compare generated texts with references: BLEU of a whole corpus (Papineni et
 * al. 2002), as sacreBLEU defines it (Post 2018, "A Call for Clarity in Reporting BLEU
 * Scores"). In its notation:
 *
 *     nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp
 *
 * The n-gram precision is the fraction of all generated runs of n words that also occur
 * in the reference, each run of which can be matched once. BLEU is the geometric mean
 * of the precisions for 1 to 4, times the brevity penalty exp(1 - r / c) if the
 * generated texts have fewer words (c) than the references have (r). */
#pragma once

#include "base/arena.h"

enum { BLEU_LONGEST = 4 };

/* The counts, so that sentences can be added up in any order. */
typedef struct {
    long long right[BLEU_LONGEST]; /* generated runs of 1, 2, 3, 4 words that are in the
                                      reference */
    long long runs[BLEU_LONGEST];  /* all generated runs */
    long long said, expected;      /* number of words generated, and in references */
} Bleu;

/* Return the text as words separated by spaces, in `arena`: punctuation is separated,
 * except periods and commas within a number, apostrophes and hyphens (tokenization
 * "13a", from NIST's mteval-v13a). */
const char *bleu_words(const char *text, Arena *arena);

/* Count a sentence; both arguments are plain text, which is split into words here. */
void bleu_add(Bleu *bleu, const char *said, const char *expected);

/* Add the counts of `other`. */
void bleu_join(Bleu *bleu, const Bleu *other);

/* Return the score, 0 to 100. For the k-th precision that would be 0, 1 / 2^k of a run
 * is counted instead (smoothing "exp", Chen and Cherry 2014, method 3). 0 if no word is
 * right, or if no sentence has four words. */
double bleu_score(const Bleu *bleu);
