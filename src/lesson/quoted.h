/* quoted.h - the numbers that a lesson's sentences quote, beside those that its run
 * shows. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

typedef struct {
    Arena *arena;
    double *number;
    int count, capacity;
} ShownNumbers;

/* All numbers of a text that is shown. */
void shown_numbers_add(ShownNumbers *shown, const char *text);

/* The next number of a sentence with decimals or a percent sign that is none of those,
 * rounded to its digits, as it is written; `*text` goes on after it. NULL: there is no
 * further one. What stands beside a sign of a calculation, after "about" or ≈, or in
 * `code` is not quoted. */
const char *quoted_missing(const ShownNumbers *shown, const char **text);
