/* random.h - pseudo-random numbers that depend only on a seed and are the same on every
 * machine: only integer arithmetic and exact divisions, nothing from libm. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state;
} Random;

/* The same seed gives the same numbers, and similar seeds give unrelated ones. */
Random random_new(uint64_t seed);

/* Return 64 random bits: SplitMix64 (Steele, Lea and Flood, 2014). */
uint64_t random_bits(Random *random);

/* Return a number in [0, 1), a multiple of 2^-53. */
double random_unit(Random *random);

/* Return a whole number from 0 to `count` - 1, all equally likely. `count` must be
 * positive. */
int random_below(Random *random, int count);

/* Shuffle `number` [count], every order equally likely: Fisher and Yates 1938. */
void random_shuffle(Random *random, int *number, int count);
