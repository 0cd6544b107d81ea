/* nearest.h - "did you mean": the words that are nearest to a mistyped one. */
#pragma once

#include "base/arena.h"

enum { NEAREST_COUNT = 3 };

typedef struct {
    const char *word; /* the mistyped word */
    const char *best[NEAREST_COUNT];
    int distance[NEAREST_COUNT];
    int count;
} Nearest;

/* How many letters must be inserted, removed, replaced or swapped with a neighbor to
 * turn a into b (Damerau-Levenshtein)? Words are compared up to 128 bytes. */
int nearest_distance(const char *a, const char *b);

/* Consider a candidate. Ignore it if more than half of its letters differ. A candidate
 * that starts with the word counts as near. */
void nearest_offer(Nearest *nearest, const char *candidate);

/* Return "; did you mean a, b or c?" in `arena`, or "" if nothing is near. */
const char *nearest_question(const Nearest *nearest, Arena *arena);
