/* text_steps.h - what a tokenizer.json does to a sentence before its model cuts it
 * (normalizers, pre-tokenizers), and to tokens when they become text (decoders).
 *
 * Source: the serialized components of the library tokenizers, 0.23. A step has a row
 * in the table of text_steps.c; one that is not there is refused by its name. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

/* A part of a sentence on its way, or a token that was found in it whole. */
typedef struct {
    const char *text;  /* valid UTF-8, no '\0' needed behind it */
    const int *origin; /* by byte, and one more: the byte of the sentence it is from */
    int length;
    int id; /* of the token, which no step changes; -1: text */
} TextPart;

typedef struct {
    TextPart *part;
    int count, capacity;
} TextParts;

void text_parts_add(TextParts *parts, TextPart part, Arena *arena);

/* `size` bytes of the part, from byte `start`. */
TextPart text_part_of(TextPart part, int start, int size);

/* A part that is written anew. Begin with {.arena = ...}, and the room that it takes.
 */
typedef struct {
    char *text;
    int *origin;
    int length;
} TextWriter;
TextWriter text_writer(int room, Arena *arena);
void text_write(TextWriter *writer, const char *text, int length, int origin);
TextPart text_written(TextWriter *writer, TextPart from);

/* Where a pattern is found next in `text`, at or behind byte `from`. */
typedef struct {
    int start, length;
} TextMatch;
typedef bool TextPattern(const char *text, int length, int from, TextMatch *match);

/* The matcher of a regular expression that is known, or NULL. */
TextPattern *text_pattern_find(const char *expression);
/* What ByteLevel cuts with: GPT-2's. */
TextPattern text_pattern_gpt2;

typedef struct TextStep TextStep;

/* What is done with what a pattern finds. */
typedef enum {
    SPLIT_REMOVED,
    SPLIT_ISOLATED,
    SPLIT_WITH_PREVIOUS,
    SPLIT_WITH_NEXT,
    SPLIT_CONTIGUOUS,
} SplitBehavior;

struct TextStep {
    const char *type;
    /* Of a normalizer or pre-tokenizer: `part` becomes parts of `out`. */
    void (*apply)(const TextStep *step, TextPart part, TextParts *out, Arena *arena);
    /* Of a decoder: the texts of tokens change; one that is gone is "". */
    void (*decode)(const TextStep *step, Normalized_texts *texts, Arena *arena);
    const char *pattern;  /* a text to find, or ... */
    TextPattern *matcher; /* ... what finds it */
    const char *content, *scheme, *prefix;
    int behavior;
    int start, stop;
    bool invert, prefix_space, use_regex, individual, clean, chinese, lowercase, split;
    bool accents, accents_as_lowercase, left, right, cleanup;
};
