/* words.h - the simplest way to split a sentence: at white space, with every
 * punctuation mark as a separate word. "철수는 만났다." gives "철수는", "만났다" and
 * ".". */
#pragma once

#include "text/vocabulary.h"

/* Find the next word of clean text at or after byte `*end`: its bytes are `*start` up
 * to, but not including, `*end`. False if there is none. Start with `*end` at 0. */
bool words_next(const char *text, int *start, int *end);

/* Learn a vocabulary: first the special words, then the words of the text, the most
 * frequent first, ties by first appearance. Fails if the special words leave no room
 * for one word. */
bool words_learn(const TextToLearn *from, Vocabulary *vocabulary, Arena *arena,
                 Error *error);

/* Is there a space between these two words in a sentence? Not before . , ? ! and
 * closing brackets, not after opening ones. NULL as `before`: the start of a
 * sentence. */
bool words_have_space(const char *before, const char *word);
