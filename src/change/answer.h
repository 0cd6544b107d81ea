/* answer.h - what a model makes of a sentence, before any number of it is looked at:
 * its words or its label, and how sure it is. */
#pragma once

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
    const char *word; /* as it stands there, safe to print */
    int pieces;       /* that it came in */
} UnknownWord;

/* Say it, and whether it is a guess: with a word that was never learned, if there is
 * one. */
void answer_say(const Story *story, const Answer *answer, const UnknownWord *unknown,
                Page *page);
