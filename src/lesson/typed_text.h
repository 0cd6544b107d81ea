/* typed_text.h - one form for the many ways in which a text can be typed. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The form in which typed texts are compared: normal form KC (no letters of full width,
 * fractions with a slash), lower case, one blank between words, ASCII dashes, no
 * quotes, and without words around the answer: "The answer is “b”.", "b입니다" are "b".
 */
const char *typed_normal(const char *typed, Arena *arena);

/* The same without blanks, without the 0x of hexadecimal digits, and without the
 * letters of `left_out`. */
const char *typed_bare(const char *typed, const char *left_out, Arena *arena);

bool typed_is_same(const char *a, const char *b, const char *left_out, Arena *arena);
