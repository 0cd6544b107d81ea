/* about.h - what a model is for, in the words of those who made it: about.json. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { ABOUT_EXAMPLES = 4 };

typedef struct {
    const char *purpose;        /* a line: "translates everyday Korean to English" */
    const char *knows;          /* what it knows, and what not; a sentence */
    const char *reads, *writes; /* languages: "en", "ko"; "": nobody said, or none */
    bool one_sentence;          /* its training had one at a time */
    int likely_from; /* below so many per cent a token a text is unlike its training's
                      */
    const char *example[ABOUT_EXAMPLES]; /* sentences to try */
    /* Below so many per cent a word its answers are doubted, and of how many such
     * answers to test sentences how many were right; 0: not measured. */
    int sure_from, doubtful, doubtful_right;
    /* Fewer per cent for a token, or fewer words for a hundred of the sentence, is
     * rare: 0: not known. */
    int least_from, words_from;
} About;

/* What people call `labels`: in each language, of which there are `*rows`, count names;
 * in `arena`. NULL where about.json does not say. */
const char *const *about_label_names(const char *folder, const char *const *labels,
                                     int count, int *rows, Arena *arena);

/* The folder's about.json in the language of the program, in `arena`. What it does not
 * hold is "", and all of it where there is no such file. Fails where it cannot be read
 * or is no JSON map; `about` can be used all the same. */
bool about_read(About *about, const char *folder, Arena *arena, Error *error);
