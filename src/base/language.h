/* language.h - the program's language. The only module that uses gettext.
 *
 * The code contains messages in English. The functions that print them (fail(), the
 * functions of a page, trf()) look them up in assets/language/LANGUAGE.po. `make
 * language` collects them; the Makefile lists these functions. Messages in tables are
 * marked with N_(), and the code that shows them calls tr(). It is in base/ because
 * errors are messages.
 *
 * A translation may contain "{은/는}": the letter before it decides which of the two is
 * kept. */
#pragma once

#include <stdarg.h>

#include "base/arena.h"

/* Mark a message in a table for translation. */
#define N_(text) (text) // NOLINT(readability-identifier-naming): gettext's name

/* "auto" (the language that is set by LANGUAGE, LC_ALL, LC_MESSAGES or LANG), then one
 * name for each language; ends with NULL. */
extern const char *const languages[];

/* Start with the catalogs in `folder`, NULL if there are none. The language is
 * "auto". */
void language_begin(const char *folder);

/* Switch to languages[choice]. */
void language_choose(int choice);

/* Return the current language: its name, "en" or "ko", and its index, from 0. */
const char *language_name(void);
int language_place(void);

/* Return the translation of `text`, or `text` itself if there is none. */
__attribute__((format_arg(1))) const char *tr(const char *text);

/* Translate a format and fill it in, in `arena`. */
__attribute__((format(printf, 2, 3))) char *trf(Arena *arena, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *trf_list(Arena *arena, const char *format,
                                                     va_list arguments);

/* The same into `size` bytes at `text`, truncated if it is longer. */
__attribute__((format(printf, 3, 0))) void
trf_into(char *text, size_t size, const char *format, va_list arguments);

/* Replace each "{은/는}" in `text` by one of the two; the text gets shorter. The choice
 * depends on how the last letter or digit before it is pronounced in Korean. The first
 * form follows a final consonant: Hangul that has one; the digits 0, 1, 3, 6, 7, 8;
 * Latin words that end in l, le, m, n, ng, or in p, t, k, b, c after a single vowel;
 * and spelled text (single letters, words without a vowel) that ends in l, m, n, r.
 * "으로/로" also becomes 로 after ㄹ. */
void language_fit(char *text);
