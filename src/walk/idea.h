/* idea.h - stages by what they are about: "softmax", "잔차", "ffn".
 *
 * A row says which words mean an idea, in English and in Korean, and which tensors show
 * it; the words of a row are all of the searching there is. */
#pragma once

#include "base/nearest.h"
#include "walk/walk.h"

enum { IDEA_PARTS = 6 };

typedef struct {
    const char *words;            /* with | between them, in small letters */
    const char *part[IDEA_PARTS]; /* ends of parts of addresses: "weights" */
    const char *stack;            /* only in "encoder" or "decoder"; NULL: in both */
    const char *stop; /* how the names of stops begin that are no stages: "step." */
} Idea;

extern const Idea ideas[]; /* ends with a row without words */

/* The first idea behind `after` (NULL: of all) that is called so, or NULL. Capitals,
 * and
 * -, _ or a space between words make no difference. A later one is for models that have
 * nothing of the earlier. */
const Idea *idea_find(const Idea *after, const char *word);

/* Does the stage show it? */
bool idea_is_shown(const Idea *idea, const Stage *stage);

/* Is `typed` one of `words`, which have | between them? In the way of idea_find(). */
bool idea_is_word(const char *words, const char *typed);

/* Offer each of `words` that is not far; copies in `arena`. */
void idea_offer(const char *words, Nearest *nearest, Arena *arena);
