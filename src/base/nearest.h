/* nearest.h - "did you mean": the words that are nearest to a mistyped one. */
#pragma once

#include "base/arena.h"

enum { NEAREST_COUNT = 3 };

typedef struct {
    const char *word; /* what was typed */
    const char *best[NEAREST_COUNT];
    int distance[NEAREST_COUNT];
    int count;
} Nearest;

/* How many letters must be inserted, removed, replaced or swapped to make b of a
 * (Damerau-Levenshtein, of neighbours); words are compared up to 128 bytes. */
int nearest_distance(const char *a, const char *b);

/* Consider a word. Those that differ in more than half of the letters are left
 * out; one that begins with the word is near. */
void nearest_offer(Nearest *nearest, const char *candidate);

/* "; did you mean a, b or c?" in `arena`, or "" when nothing is near. */
const char *nearest_question(const Nearest *nearest, Arena *arena);
