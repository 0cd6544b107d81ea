/* language.h - the language that the program speaks. The only home of gettext.
 *
 * Sentences are written in English where they are said. What says them (fail(), the
 * functions of a page, trf()) looks them up in assets/language/LANGUAGE.po, which `make
 * language` collects; what says sentences is in the Makefile, too. Sentences
 * in tables are marked with N_() and looked up by whoever shows them, with tr(). It
 * is in base/ since errors are sentences, too.
 *
 * A translation may hold "{은/는}": of such a pair stays what fits the letter before.
 */
#pragma once

#include <stdarg.h>

#include "base/arena.h"

/* Marks a sentence of a table to be translated. */
#define N_(text) (text) // NOLINT(readability-identifier-naming): gettext's name

/* "auto" (what LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for), and one for each
 * language; ends with NULL. */
extern const char *const languages[];

/* Begin: catalogues lie in `folder`, NULL: there are none. The language is "auto". */
void language_begin(const char *folder);

/* Speak languages[choice] from now on. */
void language_choose(int choice);

/* What is spoken: "en", "ko", and its place among the languages, from 0. */
const char *language_name(void);
int language_place(void);

/* The sentence in the language of the program: `text` itself where it has none. */
__attribute__((format_arg(1))) const char *tr(const char *text);

/* The same as a format, filled in, in `arena`. */
__attribute__((format(printf, 2, 3))) char *trf(Arena *arena, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *trf_list(Arena *arena, const char *format,
                                                     va_list arguments);

/* The same into `size` bytes at `text`, cut off where it is longer. */
__attribute__((format(printf, 3, 0))) void
trf_into(char *text, size_t size, const char *format, va_list arguments);

/* Resolve each "{은/는}" in `text`, which becomes shorter. Which of the two fits is
 * decided by the last letter or digit before it, as it is read in Korean: Hangul with a
 * final consonant; the digits 0, 1, 3, 6, 7, 8; Latin words that end in l, le,
 * m, n, ng, or in p, t, k, b, c behind a single vowel; and what is spelled (single
 * letters, words without a vowel) and ends in l, m, n, r. "으로/로" takes 로 after ㄹ,
 * too. */
void language_fit(char *text);
