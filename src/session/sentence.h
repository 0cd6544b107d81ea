/* sentence.h - from what was typed to rows of ids: separators, clean text, tokens, ids,
 * padding. */
#pragma once

#include "session/session.h"

/* The sentences of `typed`, separated by |, where \| stands for a bar, as tokens of the
 * source side (closed by <end>) or the target side (opened by <start>). All in `arena`.
 */
bool sentence_read(const Model *model, bool is_target, const char *typed, Arena *arena,
                   Side *side, Error *error);

/* The same for ids: "5,7,9,2|5,2"; they are taken as they stand. */
bool sentence_read_ids(const Model *model, bool is_target, const char *typed,
                       Arena *arena, Side *side, Error *error);

/* What would be typed for the sentences of `side`: "a | b", where \| stands for a bar,
 * or ids as "5,7|5,2". In `arena`. */
const char *sentence_print(const Side *side, Arena *arena);

/* A word of a sentence that was typed: its tokens `first` up to, and without, `last`.
 */
typedef struct {
    const char *text; /* without the space in front, safe to print */
    int first, last;
} Word;

/* The words of a sentence with text, `count` of them, in `arena`. */
Word *sentence_words(const Sentence *sentence, Arena *arena, int *count);

/* What was generated as it may be printed, in `arena`: its text, or its ids where there
 * is no tokenizer. */
const char *sentence_spoken(const Model *model, const Generated *generated,
                            Arena *arena);

/* A target of what the decoder has read: <start> and what was generated, without the
 * last token. */
void sentence_take(const Model *model, const Sentence *source,
                   const Generated *generated, Arena *arena, Sentence *sentence);

/* Fill side->ids: all rows of one length. */
void sentence_pad(const Model *model, bool is_target, Arena *arena, Side *side);
