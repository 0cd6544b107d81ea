/* seen_words.h - which words a model met in its training, so that it can be said which
 * words of a sentence it cannot know.
 *
 * Words take many forms (갔다, 갔어요, gone), so a word counts as met where training
 * had it, or another one that begins with two thirds of its letters, at least two. A
 * file of them has a line for each word, in the order of their bytes. */
#pragma once

#include "base/file.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

/* The file of a model folder that holds them, and how many bytes it may have. */
#define WORDS_FILE "words.txt"
enum { WORDS_FILE_BYTES = 1 << 25 };

typedef struct {
    Vocabulary words, beginnings;
    int in_writing[WRITINGS]; /* words */
} SeenWords;

/* What a training had of a text. */
typedef struct {
    const char **missing; /* the words that were not met, each once */
    int missing_count;
    int words;   /* that the text has; numbers and marks are no words */
    int foreign; /* of them, those in a writing that hardly any word was in */
    int sentences;
} WordsMet;

/* Add the words of clean text, in `arena`. */
void seen_words_add(SeenWords *seen, const char *text, Arena *arena);

/* What was met of clean text, in `arena`. */
WordsMet seen_words_check(const SeenWords *seen, const char *text, Arena *arena);

/* From the bytes of a file, and to one. Reading fails with the line that is no word. */
bool seen_words_read(SeenWords *seen, Bytes bytes, const char *path, Arena *arena,
                     Error *error);
bool seen_words_save(const SeenWords *seen, const char *path, Error *error);
