/* unicode.h - letters of every script: cleaning what comes in, measuring and making
 * safe what goes out. The home of utf8proc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct {
    const char *text;    /* valid UTF-8 in normal form C, with a '\0' behind it */
    int length;          /* bytes */
    int malformed;       /* how many malformed parts became U+FFFD */
    bool was_decomposed; /* it was not in normal form C, as file names on macOS */
} Clean;

/* `size` bytes from outside, less than INT_MAX / 3, as clean text, in `arena`. One
 * U+FFFD for each maximal malformed part (Unicode 15, section 3.9); a NUL becomes
 * U+FFFD too. */
Clean unicode_clean(const char *bytes, size_t size, Arena *arena);

/* The same without normal form C. */
Clean unicode_valid(const char *bytes, size_t size, Arena *arena);

/* The code point at `text`, whose bytes are `*length`; malformed: U+FFFD and the length
 * of the malformed part. Call only where *text is not '\0' (or within `left` bytes). */
int unicode_decode(const char *text, size_t left, int *length);

/* Write the code point as UTF-8, at most 4 bytes; how many. */
int unicode_encode(int code_point, char *bytes);

/* Bytes of the grapheme cluster at `text`: what a reader sees as one letter. 0 at '\0'.
 */
int unicode_grapheme(const char *text);

/* The normal forms of Unicode (UAX 15). */
typedef enum { FORM_C, FORM_D, FORM_KC, FORM_KD } NormalForm;

typedef struct {
    const char *text;
    int length;
    const int *origin; /* by byte, and one more: the byte of the original it comes from
                        */
} Normalized;

/* `length` bytes of valid UTF-8 in that form, in `arena`. */
Normalized unicode_normalize(const char *text, int length, NormalForm form,
                             Arena *arena);

/* The general category: "Lu", "Mn", "Cc"; its first letter is the group. */
const char *unicode_category(int code_point);

/* The letter in lower case, alone. */
int unicode_lower(int code_point);

/* How many cells of a terminal `text` takes. Jamo that join to a syllable and combining
 * marks take none, Hangul and Han two. */
int unicode_width(const char *text);

/* The same of its first `size` bytes. */
int unicode_part_width(const char *text, int size);

/* `text` (`length` bytes of anything) made safe to print, in `arena`: controls, line
 * ends, directional marks, zero-width characters and malformed bytes are written as
 * <U+202E> or <1B>. Zero width joiners inside an emoji stay. */
const char *unicode_escape(const char *text, size_t length, Arena *arena);

/* Where to cut `text` instead of behind `end` bytes, so that no number is cut: before
 * the number. */
int unicode_whole_numbers(const char *text, int end);

/* `text` cut to at most `cells` cells, with "…" as the last one where it was cut; what
 * is left of a number would be another one, so that goes as a whole. */
const char *unicode_cut(const char *text, int cells, Arena *arena);

/* `text` cut or filled with spaces to exactly `cells`; `right`: the spaces come first.
 */
const char *unicode_pad(const char *text, int cells, bool right, Arena *arena);

/* Writings (scripts) that are told apart; all but two are one. */
typedef enum { WRITING_LATIN, WRITING_HANGUL, WRITING_OTHER, WRITINGS } Writing;

Writing unicode_writing(int code_point);

typedef enum { KIND_LETTER, KIND_NUMBER, KIND_SPACE, KIND_OTHER } Kind;

/* Letters are \p{L} (and \p{M}), numbers \p{N}, spaces what Unicode calls White_Space.
 */
Kind unicode_kind(int code_point);

/* Is there nothing but spaces, of whatever form, U+00A0 and U+3000 among them? */
bool unicode_is_blank(const Clean *clean);
