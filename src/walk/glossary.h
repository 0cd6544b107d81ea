/* glossary.h - the glossary: each term explained for a beginner, and the ideas by which
 * :goto finds stages. */
#pragma once

#include "base/nearest.h"
#include "walk/walk.h"

/* A topic that stages are about: "softmax", "잔차", "ffn". :goto searches only these
 * words. */
typedef struct {
    const char *words; /* English and Korean, lowercase, separated by | */
    const char *ends;  /* endings of addresses that show it, separated by | */
    const char *stack; /* only in "encoder" or "decoder"; NULL: in both */
    const char *stop;  /* prefix of the names of stops that are not stages, or NULL */
} Idea;

extern const Idea ideas[]; /* terminated by a row without words */

/* Return the first idea after `after` (NULL: from the start) with that name, or NULL.
 * Case, "-", "_" and spaces are ignored. A later row of the same name is for models
 * that lack the earlier one. */
const Idea *idea_find(const Idea *after, const char *word);

/* Return true if the stage shows the idea. */
bool idea_is_shown(const Idea *idea, const Stage *stage);

/* Offer each of `words` that is similar to what was typed. Copies are in `arena`. */
void idea_offer(const char *words, Nearest *nearest, Arena *arena);

typedef struct {
    const char *term;
    const char *words; /* synonyms, separated by |, with Korean textbook terms */
    const char *text;  /* one or two sentences */
    const char *idea;  /* idea for :goto, see Idea; NULL: no stage shows it */
} GlossaryTerm;

/* Return the name in the program's language, in `arena`. In Korean, the English name
 * follows in parentheses, as in Korean textbooks. */
const char *glossary_name(const GlossaryTerm *term, Arena *arena);

/* A group of related terms. */
typedef struct {
    const char *title;
    const GlossaryTerm *term; /* terminated by a row without a name */
} Glossary;

extern const Glossary glossaries[]; /* terminated by a row without a title */

/* Return the term with that name, compared as in idea_find(), or NULL. */
const GlossaryTerm *glossary_find(const char *typed);

/* Offer all similar names. Copies are in `arena`. */
void glossary_offer(Nearest *nearest, Arena *arena);
