/* number_words.h - a whole number in words: "twenty-four", "스물넷", "삼백구십삼". */
#pragma once

#include <stdbool.h>

/* What follows the number at the beginning of `text`, which is in small letters; `text`
 * itself where there is none. */
const char *number_words_read(const char *text, double *number);

/* "third", "3rd", "세 번째", "셋째", "첫" at the start: behind it, or NULL. */
const char *number_words_ordinal(const char *text, int *ordinal);
