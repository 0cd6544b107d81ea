/* fact.h - what a figure says about itself: "sentence" is "나는 학생", "seed" is "7".
 * The same list is the footer and the metadata of the file. */
#pragma once

#include "base/arena.h"

typedef struct {
    const char *name;  /* ASCII letters, at most 79 */
    const char *value; /* without controls */
} Fact;

/* "name: value" on lines of their own, in `arena`. */
const char *fact_lines(const Fact *fact, int facts, Arena *arena);

/* `title` and the facts as the <title> and <metadata> of an SVG, in `arena`. */
const char *fact_svg(const char *title, const Fact *fact, int facts, Arena *arena);
