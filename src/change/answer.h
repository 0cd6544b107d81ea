/* answer.h - what a model makes of a sentence, before any number of it is looked at:
 * its words or its label, and how sure it is. */
#pragma once

#include "model/model.h"
#include "walk/story.h"

typedef struct {
    const char *text; /* safe to print; NULL: this model has no words to say */
    double sure;      /* the mean probability of the tokens chosen, or of the label */
    double most;      /* the largest of them */
    int tokens;       /* how many were chosen; 0 of a label */
    bool ended;       /* false: the limit came before <end> */
} Answer;

/* Below this mean an answer is more often wrong than right: of 200 sentences in and
 * outside of what ko-en learned, it tells the two apart (AUC 0.97). */
#define ANSWER_SURE 0.8

/* What the decoding on the story's steps said, or which label the story's sentence got.
 * In `arena`. */
Answer answer_of(const Story *story, Arena *arena);

/* "sure: 93 % a word", in `arena`; "NaN" where the probabilities are no numbers. */
const char *answer_sure(const Answer *answer, Arena *arena);

/* A word of the sentence that the model cannot know. */
typedef struct {
    const char *word; /* as it is there, safe to print */
    int pieces;       /* that it came in */
} UnknownWord;

/* Say it, and whether it is a guess: with a word that was never learned, if there is
 * one. */
void answer_say(const Story *story, const Answer *answer, const UnknownWord *unknown,
                Page *page);

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

/* For each row of the table that embeds the source whether it never learned anything,
 * in `arena`. NULL where that cannot be known: the model has not learned at all, nobody
 * knows its seed, or its table also makes the logits, so that every row has moved. */
const bool *unlearned_rows(const Model *model, const Tensor *table, Arena *arena);
