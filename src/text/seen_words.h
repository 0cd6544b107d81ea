/* seen_words.h - which words occurred in a model's training data, to report the words
 * of a sentence that the model cannot know.
 *
 * Words have many forms (갔다, 갔어요, gone). So a word counts as seen if the training
 * data contained it, or a word that starts with two thirds of its letters (at least
 * two). The file has one word per line, sorted by bytes. */
#pragma once

#include "base/file.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

/* The file in a model folder, and its maximum size in bytes. */
#define WORDS_FILE "words.txt"
enum { WORDS_FILE_BYTES = 1 << 25 };

typedef struct {
    Vocabulary words, beginnings;
    int in_writing[WRITINGS]; /* words */
} SeenWords;

/* How much of a text occurred in the training data. */
typedef struct {
    const char **missing; /* the words that were not seen, without duplicates */
    int missing_count;
    int words;   /* in the text; numbers and punctuation do not count */
    int foreign; /* those of them in a script that hardly any training word uses */
    int sentences;
} WordsMet;

/* Add the words of clean text; allocates in `arena`. */
void seen_words_add(SeenWords *seen, const char *text, Arena *arena);

/* Check the words of clean text; allocates in `arena`. */
WordsMet seen_words_check(const SeenWords *seen, const char *text, Arena *arena);

/* Read the bytes of a file; write a file. Reading fails at the first line that is not a
 * word. */
bool seen_words_read(SeenWords *seen, Bytes bytes, const char *path, Arena *arena,
                     Error *error);
bool seen_words_save(const SeenWords *seen, const char *path, Error *error);
