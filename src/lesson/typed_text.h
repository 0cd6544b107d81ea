/* typed_text.h - normalize the many ways in which a text can be typed. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Return the length of the first of `words`, up to NULL, that the text starts with; 0:
 * none. */
size_t typed_opening(const char *text, const char *const *words);

/* A character or word that is replaced, and its replacement; the last one is NULL. */
typedef struct {
    const char *typed, *read;
} TypedSign;

const char *typed_replace(const char *text, const TypedSign *table, Arena *arena);

/* Return the form in which typed texts are compared: normal form KC (no full-width
 * letters, fractions with a slash), lowercase, single blanks, ASCII dashes, no quotes,
 * and no words around the answer: "The answer is “b”." and "b입니다" are "b". */
const char *typed_normal(const char *typed, Arena *arena);

/* The same without blanks, without the 0x of hexadecimal digits, and without the
 * letters of `left_out`. */
const char *typed_bare(const char *typed, const char *left_out, Arena *arena);

bool typed_is_same(const char *a, const char *b, const char *left_out, Arena *arena);
