/* about.h - the description of a model by its authors: about.json. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { ABOUT_EXAMPLES = 4 };

typedef struct {
    const char *purpose;        /* a line: "translates everyday Korean to English" */
    const char *knows;          /* one sentence on what it knows and what it does not */
    const char *reads, *writes; /* languages: "en", "ko"; "": not stated, or none */
    bool one_sentence;          /* it was trained on single sentences */
    int likely_from; /* lowest percentage per token of a text like the training data */
    const char *example[ABOUT_EXAMPLES]; /* sentences to try */
    /* Answers below this percentage per word are doubtful; how many answers to test
     * sentences were doubtful, and how many of those were right; 0: not measured. */
    int sure_from, doubtful, doubtful_right;
    /* A sentence is rare if its tokens are below this percentage, or if fewer than this
     * percentage of its words are known; 0: not measured. */
    int least_from, words_from;
} About;

/* Return the display names of `labels`: `count` names in each of `*rows` languages;
 * allocated in `arena`. NULL if about.json has none. */
const char *const *about_label_names(const char *folder, const char *const *labels,
                                     int count, int *rows, Arena *arena);

/* Read the folder's about.json in the program's language, into `arena`. Missing fields
 * are "", and so are all fields if the file does not exist. Fails if the file cannot be
 * read or is not a JSON object; `about` is valid even then. */
bool about_read(About *about, const char *folder, Arena *arena, Error *error);
