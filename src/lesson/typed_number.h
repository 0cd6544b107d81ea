/* typed_number.h - numbers as people type them: "0.87", "0,87", "87 %", "153,600", "36
 * 864", "3/4", "sqrt(48)", "1/√24", "⅙", "1600*96", "6×190=1140", "-inf", "66 tokens",
 * "0xEA". */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The possible readings: with a decimal point and commas between thousands, or with a
 * decimal comma. "1,140" has both. */
typedef struct {
    double number[2];
    int count;
    const char *problem; /* why it is not a number, or NULL if unknown */
} TypedNumber;

/* Return false if it cannot be a number. */
bool typed_number_read(const char *typed, TypedNumber *read, Arena *arena);

/* The same, including words such as "twenty-four", "아홉", "10분의 1". Use this only if
 * nothing but a number can be meant: 이 is also an ordinary word. */
bool typed_number_in_words(const char *typed, TypedNumber *read, Arena *arena);

/* Read "third head", "3rd", "세 번째 헤드", which count from one, as an index from 0.
 */
bool typed_ordinal(const char *typed, int *index, Arena *arena);
