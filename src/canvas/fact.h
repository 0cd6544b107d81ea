/* fact.h - what a figure says about itself: "sentence" is "나는 학생", "seed" is "7".
 * The same list is the footer and the metadata of the file. */
#pragma once

#include "base/arena.h"

typedef struct {
    const char *name;  /* ASCII letters, at most 79 */
    const char *value; /* without controls */
} Fact;

/* All that one figure says. */
typedef struct {
    const char *title;
    const Fact *fact;
    int count;
    const char *description; /* what it shows, for those who hear it; NULL: nothing */
} Facts;
