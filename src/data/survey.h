/* survey.h - what is in the data: how long the sentences are, how many tokens they have
 * and how many of those no vocabulary knows. */
#pragma once

#include "data/corpus.h"
#include "text/tokenizer.h"

enum { SURVEY_BARS = 12 };

typedef struct {
    long long tokens, unknown;
    int words;             /* of the vocabulary */
    int shortest, longest; /* sentences, in tokens */
    int step;              /* lengths that share a bar */
    int bar[SURVEY_BARS];  /* sentences of 1 .. step tokens, and so on; the last
                              bar has all longer ones */
} Survey;

/* One side of a corpus. With `learned` NULL a vocabulary of at most `words` words is
 * learned from it. */
bool survey_side(Survey *survey, const Corpus *corpus, bool targets,
                 const Tokenizer *learned, int words, Error *error);
