/* random.h - numbers that look random and follow from a seed alone, the same on
 * every machine: only integer arithmetic and exact divisions, nothing of libm. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state;
} Random;

/* The same seed gives the same numbers, and near seeds give unrelated ones. */
Random random_new(uint64_t seed);

/* 64 random bits: SplitMix64 (Steele, Lea and Flood, 2014). */
uint64_t random_bits(Random *random);

/* From 0 up to, and without, 1, in steps of 2^-53. */
double random_unit(Random *random);

/* A whole number from 0 to `count` - 1, each as likely. `count` must be positive. */
int random_below(Random *random, int count);

/* Bring `number` [count] into any order, each as likely: Fisher and Yates 1938. */
void random_shuffle(Random *random, int *number, int count);
