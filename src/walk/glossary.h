/* glossary.h - the terms on the screen, each in words that a beginner understands.
 */
#pragma once

#include "base/nearest.h"

typedef struct {
    const char *term;
    const char *words; /* under which it is found as well, with | between them: other
                          names, what Korean textbooks say */
    const char *text;  /* one sentence or two */
    const char *idea;  /* for :goto, see idea.h; NULL: no stage shows it */
} GlossaryTerm;

/* What it is called in the language of the program: in Korean by its Korean name, with
 * the English one in brackets, as in Korean textbooks. In `arena`. */
const char *glossary_name(const GlossaryTerm *term, Arena *arena);

/* What belongs together. */
typedef struct {
    const char *title;
    const GlossaryTerm *term; /* ends with a row without a name */
} Glossary;

extern const Glossary glossaries[]; /* ends with a row without a title */

/* The term of that name, in the way of idea_is_word(), or NULL. */
const GlossaryTerm *glossary_find(const char *typed);

/* Offer all names that are near. In `arena`. */
void glossary_offer(Nearest *nearest, Arena *arena);
