/* sentence.h - from typed text to rows of ids: split sentences, clean text, tokens,
 * ids, padding. */
#pragma once

#include "session/session.h"

/* Read the sentences of `typed`, separated by | (\| is a literal bar), as tokens of the
 * source side (ending in <end>) or the target side (starting with <start>). All in
 * `arena`. */
bool sentence_read(const Model *model, bool is_target, const char *typed, Arena *arena,
                   Side *side, Error *error);

/* The same for ids: "5,7,9,2|5,2". No token is added. */
bool sentence_read_ids(const Model *model, bool is_target, const char *typed,
                       Arena *arena, Side *side, Error *error);

/* Return the text that would be typed for the sentences of `side`: "a | b", with \| for
 * a literal bar, or ids, "5,7|5,2". In `arena`. */
const char *sentence_print(const Side *side, Arena *arena);

/* A word of a typed sentence: the tokens [first, last). */
typedef struct {
    const char *text; /* without the leading space, safe to print */
    int first, last;
} Word;

/* Return the `*count` words of a sentence that has text, in `arena`. */
Word *sentence_words(const Sentence *sentence, Arena *arena, int *count);

/* Return the generated text, safe to print, in `arena`, or its ids if there is no
 * tokenizer. */
const char *sentence_spoken(const Model *model, const Generated *generated,
                            Arena *arena);

/* Make a target of what the decoder has read: <start> and the generated tokens except
 * the last. */
void sentence_take(const Model *model, const Sentence *source,
                   const Generated *generated, Arena *arena, Sentence *sentence);

/* Fill side->ids: all rows padded to the same length. */
void sentence_pad(const Model *model, bool is_target, Arena *arena, Side *side);
