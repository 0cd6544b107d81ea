/* unicode.h - characters of every script: clean input, measure text, make output safe.
 * The only module that uses utf8proc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct {
    const char *text;    /* valid UTF-8 in normal form C, terminated by '\0' */
    int length;          /* bytes */
    int malformed;       /* how many malformed parts became U+FFFD */
    bool was_decomposed; /* it was not in normal form C, like file names on macOS */
} Clean;

/* Clean `size` untrusted bytes, fewer than INT_MAX / 3, in `arena`. Each maximal
 * malformed part (Unicode 15, section 3.9) and each NUL becomes one U+FFFD. */
Clean unicode_clean(const char *bytes, size_t size, Arena *arena);

/* The same without normal form C. */
Clean unicode_valid(const char *bytes, size_t size, Arena *arena);

/* Return the code point at `text`; `*length` becomes its number of bytes. If malformed:
 * U+FFFD and the length of the malformed part. Call it only if *text is not '\0' (or
 * within `left` bytes). */
int unicode_decode(const char *text, size_t left, int *length);

/* Was the part of `length` bytes at `text` malformed, where unicode_decode() returned
 * `code`? The text itself may contain U+FFFD: EF BF BD. */
bool unicode_is_malformed(const char *text, int code, int length);

/* Write the code point as UTF-8, at most 4 bytes; return how many. */
int unicode_encode(int code_point, char *bytes);

/* Return the length in bytes of the grapheme cluster at `text`, which readers see as
 * one character. 0 at '\0'. */
int unicode_grapheme(const char *text);

/* The normal forms of Unicode (UAX 15). */
typedef enum { FORM_C, FORM_D, FORM_KC, FORM_KD } NormalForm;

typedef struct {
    const char *text;
    int length;
    const int *origin; /* byte of the original, for each byte and the end */
} Normalized;

/* Convert `length` bytes of valid UTF-8 to that form, in `arena`. */
Normalized unicode_normalize(const char *text, int length, NormalForm form,
                             Arena *arena);

/* Return the general category: "Lu", "Mn", "Cc"; its first letter is the group. */
const char *unicode_category(int code_point);

/* Return the character in lower case, ignoring its context. */
int unicode_lower(int code_point);

/* Return the width of `text` in terminal cells: 0 for combining marks and for Jamo that
 * join a syllable, 2 for Hangul and Han. */
int unicode_width(const char *text);

/* The same for its first `size` bytes. */
int unicode_part_width(const char *text, int size);

/* Make `text` (`length` arbitrary bytes) safe to print, in `arena`: controls, line
 * ends, directional marks, zero-width characters and malformed bytes are written as
 * <U+202E> or <1B>. Zero-width joiners inside an emoji stay. */
const char *unicode_escape(const char *text, size_t length, Arena *arena);

/* Return where to cut `text`, at or before `end`, without splitting a number. */
int unicode_whole_numbers(const char *text, int end);

/* Cut `text` to at most `cells` cells, with "…" as the last one if it was cut. A number
 * is removed completely, since part of it would be a different number. */
const char *unicode_cut(const char *text, int cells, Arena *arena);

/* Cut `text` or pad it with spaces to exactly `cells`; `right`: align it to the
 * right. */
const char *unicode_pad(const char *text, int cells, bool right, Arena *arena);

/* Scripts that we distinguish; all but two are WRITING_OTHER. */
typedef enum { WRITING_LATIN, WRITING_HANGUL, WRITING_OTHER, WRITINGS } Writing;

Writing unicode_writing(int code_point);

typedef enum { KIND_LETTER, KIND_NUMBER, KIND_SPACE, KIND_OTHER } Kind;

/* Letters are \p{L} (and \p{M}), numbers \p{N}, spaces Unicode's White_Space. */
Kind unicode_kind(int code_point);

/* Does it contain only spaces, including U+00A0 and U+3000? */
bool unicode_is_blank(const Clean *clean);
