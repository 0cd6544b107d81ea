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

/* `text` inside an element or an attribute of XML, in `arena`. */
const char *xml_escape(const char *text, Arena *arena);

/* The <title>, <desc> and <metadata> of an SVG, in `arena`. */
const char *fact_xml(const Facts *facts, Arena *arena);

/* The `svg` that Cairo wrote, with title and facts as its <title> and <metadata> and
 * without the number that differs from picture to picture, in `arena`; NULL if it is no
 * SVG. */
char *fact_in_svg(const char *svg, const Facts *facts, Arena *arena);
