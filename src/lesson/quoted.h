/* quoted.h - compare the numbers in a lesson's sentences with those that its run
 * prints. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

typedef struct {
    Arena *arena;
    double *number;
    int count, capacity;
} ShownNumbers;

/* Add all numbers of a printed text. */
void shown_numbers_add(ShownNumbers *shown, const char *text);

/* Return the sentence's next number, with decimals or a percent sign, that equals no
 * printed number rounded to its digits; advance `*text`. NULL: none. Numbers next to an
 * arithmetic sign, after "about" or ≈, or in `code` are not checked. */
const char *quoted_missing(const ShownNumbers *shown, const char **text);
