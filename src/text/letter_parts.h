/* letter_parts.h - which bytes may stand together in a token, so that what is shown can
 * be read. */
#pragma once

#include <stdbool.h>

/* What a token holds of letters of several bytes (UTF-8): whole ones only, when both
 * are 0. A letter is put together before it is joined with another, so that no token
 * ends in the middle of one and holds something else besides: what is shown can be
 * read. */
typedef struct {
    int missing; /* bytes that its last letter still lacks */
    int loose;   /* bytes, if all are from the middle or the end of a letter */
} LetterParts;

/* Of a token of one byte. */
LetterParts letter_parts_of_byte(int byte);

/* May the two be one token? Then `joined` is what it holds. */
bool letter_parts_join(LetterParts left, LetterParts right, LetterParts *joined);
