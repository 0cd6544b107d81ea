/* typed_number.h - a number as people type it: "0.87", "0,87", "87 %", "153,600",
 * "36 864", "3/4", "sqrt(48)", "1/√24", "⅙", "1600*96",
 * "6×190=1140", "-inf", "66 tokens", "0xEA". */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* What it can mean: with a point for decimals and a comma between thousands, or with a
 * comma for decimals. "1,140" is both. */
typedef struct {
    double number[2];
    int count;
    const char *problem; /* why it is none, where that can be said; or NULL */
} TypedNumber;

/* False where it can mean none. */
bool typed_number_read(const char *typed, TypedNumber *read, Arena *arena);

/* The same also of words, "twenty-four", "아홉", "10분의 1": where nothing but a number
 * can be meant, since 이 is a word of its own, too. */
bool typed_number_in_words(const char *typed, TypedNumber *read, Arena *arena);

/* "third head", "3rd", "세 번째 헤드", which count from one, as an index from 0. */
bool typed_ordinal(const char *typed, int *index, Arena *arena);
