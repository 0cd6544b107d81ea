/* expect.h - is what was printed what a lesson says? */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Where the two part. */
typedef struct {
    int line;             /* of what was expected, from 0 on */
    const char *expected; /* that line; NULL: nothing more was */
    const char *printed;  /* and what stood there instead; NULL: nothing more did */
} Parting;

/* Blanks at the end of lines do not count, nor how many blanks or empty lines stand
 * together, and empty lines at both ends not at all. A line "..." stands for any lines,
 * "..." within a line for any text; of a number with decimals the last digit may be one
 * more or less, since machines round differently. */
bool expect_same(const char *expected, const char *printed, Arena *arena,
                 Parting *parting);
