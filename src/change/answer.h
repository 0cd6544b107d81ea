/* answer.h - a model's answer to a sentence: its words or label, and its confidence. */
#pragma once

#include "model/model.h"
#include "store/about.h"
#include "text/seen_words.h"
#include "walk/story.h"

typedef struct {
    const char *label; /* safe to print */
    int id;
    double share; /* its probability */
} Said;

typedef struct {
    const char *text; /* safe to print; NULL: this model generates no words, or its
                         target was given */
    const char *best; /* its words alone; NULL: none */
    Said *word;       /* also, for a given target, the best one at each position */
    int count;
    double sure;       /* mean probability of the words */
    const int *hidden; /* positions of the words, if they were masked */
    bool is_label;     /* the only word is a label */
    bool preferred;    /* the target was given */
    bool ended;        /* false: the limit was reached before <end> */
    bool is_full;      /* the prompt left no room for a token */
} Answer;

/* Answers with a lower mean probability, in percent per token, are called guesses
 * unless about.json says otherwise. For 200 sentences, this separates those similar to
 * ko-en's training data from others (AUC 0.97). */
enum { SURE_FROM = 80 };

/* Return, in `arena` and independent of the model, the result of the story's decoding,
 * the label of its sentence, its sentence with the best word at each masked position,
 * or the best words for its given target. */
Answer answer_of(const Story *story, Arena *arena);

/* "confidence: 93% per token", in `arena`; "NaN" if the probabilities are NaN. */
const char *answer_sure(const Answer *answer, Arena *arena);

/* Facts about a model besides its weights, from its folder. */
typedef struct {
    About about;
    SeenWords seen;
    bool knows_words; /* there is a list of words */
} Background;

/* Return the text or, if it is longer than a few lines, the words around its first
 * difference from `other`, in `arena`: "… lost her ball in the …". */
const char *answer_part(const char *text, const char *other, Arena *arena);

/* Return the words [from, to), each with its probability, in `arena`: "in 0.93". With
 * `other`, leave out those that are the same at that place in it. */
const char *answer_words(const Answer *answer, const Answer *other, int from, int to,
                         Arena *arena);

/* The words that differ between two results, without their common prefix and suffix. */
typedef struct {
    int from, before_to, after_to;
    bool in_place; /* both have equally many, so words between may be the same */
    int words;     /* how many differ */
} Changed;
Changed answer_changed(const Answer *before, const Answer *after);
