/* answer.h - what a model makes of a sentence, before any number of it is looked at:
 * its words or its label, and how sure it is. */
#pragma once

#include "model/model.h"
#include "store/about.h"
#include "text/seen_words.h"
#include "walk/story.h"

typedef struct {
    const char *text;  /* safe to print; NULL: this model has no words to say */
    double sure;       /* the mean probability of the tokens chosen, or of the label */
    double most;       /* the largest of them */
    double least;      /* of decoding: the smallest, and the token that has it */
    int least_id;
    double likely;     /* of a text that goes on: the geometric mean of the
                          probabilities of its own tokens; 0: not known */
    int tokens;        /* how many were chosen; 0 of a label */
    const int *hidden; /* of masked words: where they stand, `tokens` of them */
    bool ended;        /* false: the limit came before <end> */
    bool is_full;      /* the prompt left no room for a token */
} Answer;

/* Below so many per cent a word an answer is doubted, where about.json says nothing: of
 * 200 sentences in and outside of what ko-en learned, it tells the two apart (AUC
 * 0.97).
 */
enum { SURE_FROM = 80 };

/* What the decoding on the story's steps said, which label the story's sentence got, or
 * the sentence with the best word wherever one is hidden. In `arena`. */
Answer answer_of(const Story *story, Arena *arena);

/* "sure: 93 % a token", in `arena`; "NaN" where the probabilities are no numbers. */
const char *answer_sure(const Answer *answer, Arena *arena);

/* What is known of a model beside its weights, from its folder. */
typedef struct {
    About about;
    SeenWords seen;
    bool knows_words; /* there is a list of them */
} Background;

/* Say it, and whether it is a guess, and why. `met`: what the training had of the
 * sentence; NULL: nobody knows. */
void answer_say(const Story *story, const Answer *answer, const WordsMet *met,
                const About *about, Page *page);

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

/* The text; of one that is longer than some lines the words around where it begins to
 * differ from `other`: "… lost her ball in the …", in `arena`. */
const char *answer_part(const char *text, const char *other, Arena *arena);

/* "in 0.93": words `from` up to, and without, `to`, each with its share. In `arena`. */
const char *outcome_words(const Outcome *outcome, int from, int to, Arena *arena);

/* Where two differ: the words behind their common beginning and before their common
 * end. */
typedef struct {
    int from, before_to, after_to;
} Changed;
Changed outcome_changed(const Outcome *before, const Outcome *after);
