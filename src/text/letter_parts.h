/* letter_parts.h - which bytes may be together in a token, so that tokens can be
 * displayed. */
#pragma once

#include <stdbool.h>

/* Which parts of multi-byte characters (UTF-8) a token contains; if both are 0, only
 * whole characters. The bytes of a character are merged before it is merged with
 * another one, so that no token contains part of a character together with something
 * else: such a token could not be displayed. */
typedef struct {
    int missing; /* bytes that its last character still lacks */
    int loose; /* length, if all bytes are from the middle or the end of a character */
} LetterParts;

/* For a token of one byte. */
LetterParts letter_parts_of_byte(int byte);

/* May the two be merged? If so, `joined` describes the result. */
bool letter_parts_join(LetterParts left, LetterParts right, LetterParts *joined);
