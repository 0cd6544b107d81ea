/* expect.h - compare what was printed with what a lesson expects. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The first difference. */
typedef struct {
    int line;             /* of the expected text, from 0 */
    const char *expected; /* that line; NULL: the expected text ended */
    const char *printed;  /* the line printed instead; NULL: the output ended */
} Parting;

/* Compare both texts. Trailing blanks, the number of blanks or empty lines in a row,
 * and empty lines at both ends are ignored. A line "..." matches any lines; "..."
 * within a line matches any text. The last digit of a number with decimals may differ
 * by one, because machines round differently. */
bool expect_same(const char *expected, const char *printed, Arena *arena,
                 Parting *parting);
