/* glossary.h - the words for what is on the screen: each term explained for a beginner,
 * and the ideas by which :goto finds stages. */
#pragma once

#include "base/nearest.h"
#include "walk/walk.h"

/* What stages are about: "softmax", "잔차", "ffn". The words of a row are all of the
 * searching there is. */
typedef struct {
    const char
        *words;       /* in English and Korean, with | between them, in small letters */
    const char *ends; /* of parts of the addresses that show it, the same way */
    const char *stack; /* only in "encoder" or "decoder"; NULL: in both */
    const char *stop;  /* how the names of stops begin that are no stages, or NULL */
} Idea;

extern const Idea ideas[]; /* ends with a row without words */

/* The first idea behind `after` (NULL: of all) that is called so, or NULL. Capitals,
 * and -, _ or a space between words make no difference. A later one is for models that
 * have nothing of the earlier. */
const Idea *idea_find(const Idea *after, const char *word);

/* Does the stage show it? */
bool idea_is_shown(const Idea *idea, const Stage *stage);

/* Offer each of `words` that is not far; copies in `arena`. */
void idea_offer(const char *words, Nearest *nearest, Arena *arena);

typedef struct {
    const char *term;
    const char *words; /* under which it is found as well, with | between them: other
                          names, what Korean textbooks say */
    const char *text;  /* one sentence or two */
    const char *idea;  /* for :goto, see Idea; NULL: no stage shows it */
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

/* The term of that name, in the way of idea_find(), or NULL. */
const GlossaryTerm *glossary_find(const char *typed);

/* Offer all names that are near. In `arena`. */
void glossary_offer(Nearest *nearest, Arena *arena);
