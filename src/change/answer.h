/* answer.h - a model's answer to a sentence: its words or label, and its confidence. */
#pragma once

#include "model/model.h"
#include "store/about.h"
#include "text/seen_words.h"
#include "walk/story.h"

typedef struct {
    const char *text; /* safe to print; NULL: the model generates no words */
    double sure;      /* mean probability of the chosen tokens, or of the label */
    double most;      /* the largest of these */
    double least;     /* the smallest in a decoding, and its token */
    int least_id;
    double likely; /* geometric mean of the probabilities of a prompt's own tokens; 0:
                      unknown */
    int tokens;    /* number of chosen tokens; 0 for a label */
    const int *hidden; /* positions of the `tokens` masked tokens */
    bool ended;        /* false: the limit was reached before <end> */
    bool is_full;      /* the prompt left no room for a token */
} Answer;

/* Answers with a lower mean probability, in percent per token, are called guesses
 * unless about.json says otherwise. For 200 sentences, this separates those similar to
 * ko-en's training data from others (AUC 0.97). */
enum { SURE_FROM = 80 };

/* Return, in `arena`, the result of the story's decoding, the label of its sentence, or
 * its sentence with the best word at each masked position. */
Answer answer_of(const Story *story, Arena *arena);

/* "confidence: 93% per token", in `arena`; "NaN" if the probabilities are NaN. */
const char *answer_sure(const Answer *answer, Arena *arena);

/* Facts about a model besides its weights, from its folder. */
typedef struct {
    About about;
    SeenWords seen;
    bool knows_words; /* there is a list of words */
} Background;

/* Report the answer and, if it is a guess, why. `met`: which words of the sentence were
 * in the training data; NULL: unknown. */
void answer_say(const Story *story, const Answer *answer, const WordsMet *met,
                const About *about, Page *page);

typedef struct {
    const char *label; /* safe to print */
    int id;
    double share; /* its probability */
} Said;

typedef struct {
    const char *text; /* all words, safe to print; NULL: no words */
    Said *word;
    int count;
    double sure;    /* mean probability */
    bool preferred; /* for a given target: the best word at each of its positions */
} Outcome;

/* Return the result of the story's decoding or, if there is none, of the run: its
 * label, or the best word at each position of its target. Allocated in `arena`,
 * independent of the model. */
Outcome outcome_of(const Story *story, Arena *arena);

/* Return the text or, if it is longer than a few lines, the words around its first
 * difference from `other`, in `arena`: "… lost her ball in the …". */
const char *answer_part(const char *text, const char *other, Arena *arena);

/* Return the words [from, to), each with its probability, in `arena`: "in 0.93". */
const char *outcome_words(const Outcome *outcome, int from, int to, Arena *arena);

/* The words that differ between two results, without their common prefix and suffix. */
typedef struct {
    int from, before_to, after_to;
} Changed;
Changed outcome_changed(const Outcome *before, const Outcome *after);
