/* words.h - the simplest way to cut a sentence: at white space, and every punctuation
 * mark is a word of its own. "철수는 만났다." gives "철수는", "만났다" and ".". */
#pragma once

#include "text/vocabulary.h"

/* The next word of clean text, from byte `*end` on: false where there is none, else its
 * bytes are `*start` up to, and without, `*end`. Begin with `*end` at 0. */
bool words_next(const char *text, int *start, int *end);

/* Learn a vocabulary: first the special words, then those of the text, the most
 * frequent first, ties by first appearance. Fails when there is no room for one word
 * beside the special ones. */
bool words_learn(const TextToLearn *from, Vocabulary *vocabulary, Arena *arena,
                 Error *error);

/* Whether a sentence has a space between these two words: none before . , ? ! and
 * closing brackets, none behind opening ones. NULL as `before` begins a sentence. */
bool words_have_space(const char *before, const char *word);
