/* outcome.h - what came out of a run, word by word, so that two runs can be compared.
 */
#pragma once

#include "walk/story.h"

typedef struct {
    const char *label; /* safe to print */
    int id;
    double share; /* its probability */
} Said;

typedef struct {
    const char *text; /* all words together, safe to print; NULL: it has no words */
    Said *word;
    int count;
    double sure;    /* the mean share */
    bool preferred; /* the target was held: what is preferred at each place of it */
} Outcome;

/* Of the story's decoding; where there is none, of the run: its label, or at each place
 * of its target the word that it prefers. In `arena`, and all of it: it may outlive the
 * model. */
Outcome outcome_of(const Story *story, Arena *arena);

/* "in 0.93": words `from` up to, and without, `to`, each with its share. In `arena`. */
const char *outcome_words(const Outcome *outcome, int from, int to, Arena *arena);

/* Where two differ: the words behind their common beginning and before their common
 * end. */
typedef struct {
    int from, before_to, after_to;
} Changed;
Changed outcome_changed(const Outcome *before, const Outcome *after);
