/* vocabulary.h - words and their ids. */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* No word of a model is longer. */
enum { VOCABULARY_WORD_BYTES = 1024 };

typedef struct {
    const char **word; /* by id */
    int *length;       /* bytes of each */
    int count;
    int *slot; /* a hash table of ids + 1; 0: free */
    int slots; /* a power of two */
    uint64_t seed;
} Vocabulary;

/* What a hash of a table of words or merges begins with: another one for each table, so
 * that no file can be made whose items all meet in one slot. */
uint64_t vocabulary_seed(void);

/* What a vocabulary is learned from. */
typedef struct {
    const char *text;
    size_t size;                /* bytes */
    const char *const *special; /* words that get the ids 0, 1, ..., up to a NULL */
    int words;                  /* at most so many, the special ones among them */
} TextToLearn;

/* The id of `word` (`length` bytes), or -1. */
int vocabulary_find(const Vocabulary *vocabulary, const char *word, int length);

/* The id of `word`, which is added if it is new; the copy lies in `arena`. */
int vocabulary_add(Vocabulary *vocabulary, const char *word, int length, Arena *arena);

/* `word` as it may be in a message: safe to print and not too long. In `arena`. */
const char *vocabulary_show(const char *word, int length, Arena *arena);

/* From and to vocab.json: an object of word to id, ids 0 to count - 1 each once. An
 * error names the file and the word. */
bool vocabulary_read(Vocabulary *vocabulary, const char *path, Arena *arena,
                     Error *error);
bool vocabulary_save(const Vocabulary *vocabulary, const char *path, bool replace,
                     Error *error);
