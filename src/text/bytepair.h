/* bytepair.h - byte pair encoding: Sennrich, Haddow and Birch 2016, on bytes as in
 * GPT-2.
 *
 * A text is split into pieces (a word with the space before it, or a run of digits,
 * punctuation or spaces), and each piece into bytes. Then the adjacent pair that was
 * learned earliest is merged, repeatedly. In the files each byte is a printable
 * character (GPT-2's table), so that vocab.json and merges.txt are plain text. */
#pragma once

#include "text/vocabulary.h"

/* Two tokens that can be merged, and the result. */
typedef struct {
    int left, right, joined; /* ids in the vocabulary */
} Merge;

typedef struct {
    Merge *merge; /* in the order learned: the index is the rank */
    int count;
    int *slot;     /* a hash table of ranks + 1 by (left, right); 0: free */
    int slots;     /* a power of two */
    uint64_t seed; /* see vocabulary_seed() */
    int byte[256]; /* id of each single byte */
    /* If true, new pairs compete after each single merge, as in SentencePiece; else
     * after a merge has been applied everywhere, as in GPT-2. The two differ if a pair
     * ranks before the merges that make its parts. */
    bool one_by_one;
} BytePair;

/* Return the rank of the merge of these two, or -1. */
int bytepair_rank(const BytePair *merges, int left, int right);

/* Append a merge. A second merge of the same pair is never used. */
void bytepair_add(BytePair *merges, Merge merge, Arena *arena);

/* Set `byte` from the vocabulary. Returns the first byte that has no word, or -1. */
int bytepair_find_bytes(BytePair *merges, const Vocabulary *vocabulary);

/* Return the length in bytes of the first piece of `text` (`left` bytes, at least
 * one). */
int bytepair_piece(const char *text, int left);

/* Merge `count` adjacent tokens in place: `id` contains their ids and `bytes` their
 * lengths in bytes. Returns the new number of tokens. Takes O(n log n) time: the
 * possible merges are in a heap. */
int bytepair_join(const BytePair *merges, int *id, int *bytes, int count,
                  Arena *scratch);

/* Get the ids of the single bytes of a piece, and 1 as the length of each, for
 * bytepair_join(). */
void bytepair_begin(const BytePair *merges, const char *piece, int length, int *id,
                    int *bytes);

/* Like bytepair_join(), but slower, for display: records each merge and the tokens
 * after it. Returns the number of steps, 0 if there are more than BYTEPAIR_WATCH_MAX
 * tokens. */
enum { BYTEPAIR_WATCH_MAX = 1024 };
typedef struct {
    int rank;         /* rank of the merge, -1 for the initial tokens */
    const int *id;    /* the tokens after it */
    const int *bytes; /* the number of bytes of each */
    int count;
} MergeStep;
int bytepair_watch(const BytePair *merges, const int *id, const int *bytes, int count,
                   MergeStep **step, Arena *arena);

/* Learn merges until the vocabulary is full or no pair occurs twice. Ids: first the
 * special words, then the 256 bytes, then the merges. Of equally frequent pairs, the
 * one that occurs first in the text wins. Skips a pair that would make an existing word
 * from other parts, and a pair that would join part of a character with anything but
 * the rest of it. Fails if the special words and the bytes do not fit. */
bool bytepair_learn(const TextToLearn *from, Vocabulary *vocabulary, BytePair *merges,
                    Arena *arena, Error *error);

/* Read and write merges.txt: one line per merge, "left right", after "#version:
 * 0.2". */
bool bytepair_read(BytePair *merges, const Vocabulary *vocabulary, const char *path,
                   Arena *arena, Error *error);
bool bytepair_save(const BytePair *merges, const Vocabulary *vocabulary,
                   const char *path, bool replace, Error *error);

/* Return the bytes of a word in the vocabulary, or NULL if one of its characters
 * represents no byte; and the reverse. Allocated in `arena`. */
const char *bytepair_bytes(const char *word, int *length, Arena *arena);
const char *bytepair_word(const char *bytes, int length, Arena *arena);
