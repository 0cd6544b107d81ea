/* number_words.h - whole numbers in words: "twenty-four", "스물넷", "삼백구십삼". */
#pragma once

#include <stdbool.h>

/* Read the number at the start of `text`, which is lowercase, and return the text after
 * it, or `text` itself if there is no number. */
const char *number_words_read(const char *text, double *number);

/* Return what the words at the start multiply a number by, 1000000 for "백만 개", and
 * advance `text`. */
double number_words_times(const char **text);

/* Read "the third", "3rd", "세 번째", "셋째", "첫" at the start and return the text
 * after it, or NULL. */
const char *number_words_ordinal(const char *text, int *ordinal);
