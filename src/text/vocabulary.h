/* vocabulary.h - words and their ids. */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* The maximum length of a word. */
enum { VOCABULARY_WORD_BYTES = 1024 };

typedef struct {
    const char **word; /* by id */
    int *length;       /* length of each in bytes */
    int count;
    int *slot; /* a hash table of ids + 1; 0: free */
    int slots; /* a power of two */
    uint64_t seed;
} Vocabulary;

/* Return a random start value for the hash of a table, different for each table, so
 * that no file can make all its items collide. */
uint64_t vocabulary_seed(void);

/* What a vocabulary is learned from. */
typedef struct {
    const char *text;
    size_t size;                /* bytes */
    const char *const *special; /* words that get the ids 0, 1, ..., ending with NULL */
    int words; /* maximum number of words, including the special ones */
} TextToLearn;

/* Return the id of `word` (`length` bytes), or -1. */
int vocabulary_find(const Vocabulary *vocabulary, const char *word, int length);

/* Return the id of `word`. If it is new, add a copy in `arena`. */
int vocabulary_add(Vocabulary *vocabulary, const char *word, int length, Arena *arena);

/* Return `word` for use in a message, in `arena`: safe to print and not too long. */
const char *vocabulary_show(const char *word, int length, Arena *arena);

/* Read and write vocab.json: an object mapping words to ids, with each id from 0 to
 * count - 1 once. Errors name the file and the word. */
bool vocabulary_read(Vocabulary *vocabulary, const char *path, Arena *arena,
                     Error *error);
bool vocabulary_save(const Vocabulary *vocabulary, const char *path, bool replace,
                     Error *error);
