/* bytepair.h - byte pair encoding: Sennrich, Haddow and Birch 2016, on bytes as in
 * GPT-2.
 *
 * A text is cut into pieces (a word with the space before it, a run of digits, of
 * punctuation, of spaces), a piece into bytes, and then the pair of neighbours that was
 * learned earliest is joined, again and again. In the files each byte is a printable
 * character (GPT-2's table), so that vocab.json and merges.txt are plain text. */
#pragma once

#include "text/vocabulary.h"

/* Two tokens that may be joined, and what they become. */
typedef struct {
    int left, right, joined; /* ids of the vocabulary */
} Merge;

typedef struct {
    Merge *merge; /* in the order learned: the index is the rank */
    int count;
    int *slot;     /* a hash table of ranks + 1 by (left, right); 0: free */
    int slots;     /* a power of two */
    uint64_t seed; /* see vocabulary_seed() */
    int byte[256]; /* id of each single byte */
    /* After each single merge the new pairs take part, as in SentencePiece; else after
     * a merge was made everywhere, as in GPT-2. They differ where a pair is ranked
     * above those that make its parts. */
    bool one_by_one;
} BytePair;

/* The rank of the merge that joins these two, or -1. */
int bytepair_rank(const BytePair *merges, int left, int right);

/* The next merge; one that joins the same two as an earlier one is never used. */
void bytepair_add(BytePair *merges, Merge merge, Arena *arena);

/* Set `byte` from the vocabulary. Returns the first byte that has no word, or -1. */
int bytepair_find_bytes(BytePair *merges, const Vocabulary *vocabulary);

/* Bytes of the piece that `text` (`left` bytes, at least one) begins with. */
int bytepair_piece(const char *text, int left);

/* Join `count` neighbours: `id` has their ids, `bytes` how many bytes each covers.
 * Returns how many are left in both. Takes n log n time: a heap of the pairs that can
 * be joined. */
int bytepair_join(const BytePair *merges, int *id, int *bytes, int count,
                  Arena *scratch);

/* Ids of the single bytes of a piece, and 1 for each, to be joined. */
void bytepair_begin(const BytePair *merges, const char *piece, int length, int *id,
                    int *bytes);

/* The same as bytepair_join(), slowly, to be watched: after each merge, what it joined
 * and what is left. Returns how many steps, none for more than BYTEPAIR_WATCH_MOST. */
enum { BYTEPAIR_WATCH_MOST = 1024 };
typedef struct {
    int rank;         /* which merge, -1 for what there is at the start */
    const int *id;    /* the pieces then */
    const int *bytes; /* and how many bytes each covers */
    int count;
} MergeStep;
int bytepair_watch(const BytePair *merges, const int *id, const int *bytes, int count,
                   MergeStep **step, Arena *arena);

/* Learn until the vocabulary is full or no pair occurs twice. Ids: first the special
 * words, then the 256 bytes, then the merges. Ties go to the pair that came first in
 * the text. A pair that would make a word anew, from other parts, is left alone, and so
 * is one that would join a part of a letter with anything but the rest of it. Fails
 * when there is no room for the special words and the bytes. */
bool bytepair_learn(const TextToLearn *from, Vocabulary *vocabulary, BytePair *merges,
                    Arena *arena, Error *error);

/* From and to merges.txt: a line for each merge, "left right", after "#version: 0.2".
 */
bool bytepair_read(BytePair *merges, const Vocabulary *vocabulary, const char *path,
                   Arena *arena, Error *error);
bool bytepair_save(const BytePair *merges, const Vocabulary *vocabulary,
                   const char *path, bool replace, Error *error);

/* The bytes that the word of a vocabulary stands for, or NULL if it has a character
 * that stands for none; and the word of bytes. In `arena`. */
const char *bytepair_bytes(const char *word, int *length, Arena *arena);
const char *bytepair_word(const char *bytes, int length, Arena *arena);
