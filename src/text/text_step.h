/* text_step.h - a step from a sentence to the pieces that a tokenizer's model splits
 * into tokens (normalizers, pre-tokenizers), or from tokens to text (decoders).
 *
 * Source: the components of tokenizer.json as run by the tokenizers library, 0.23. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"
#include "text/unicode.h"

/* A part of a sentence being processed, or an added token that was found in it. */
typedef struct {
    const char *text;  /* valid UTF-8, not terminated by '\0' */
    const int *origin; /* byte of the sentence, for each byte and the end */
    int length;        /* bytes */
    int id;            /* of an added token, which no step changes; -1: text */
} TextPart;

typedef struct {
    TextPart *part;
    int count, capacity;
} TextParts;

/* The memory that steps may use for one text. A file can ask for steps that make a text
 * larger and larger, so every step calls text_room_has() before it allocates. A refused
 * step leaves its text unchanged; the caller checks `is_spent`. */
typedef struct {
    Arena *arena;
    size_t left;   /* bytes that may still be allocated */
    bool is_spent; /* a step asked for more */
} TextRoom;

enum { TEXT_ROOM_BYTES = 48 << 20, TEXT_PIECE_BYTES = 64 /* per allocation */ };

TextRoom text_room(Arena *arena);

/* Take `bytes` from the room; false if there are not enough. */
bool text_room_has(TextRoom *room, size_t bytes);

/* Add a part, unless it is empty or does not fit. */
void text_parts_add(TextParts *parts, TextPart part, TextRoom *room);

/* Return `length` bytes of a part, starting at byte `start`. */
TextPart text_part_within(TextPart part, int start, int length);

/* The new text of a part, and where its bytes come from. */
typedef struct {
    char *text;
    int *origin;
    int length;
} TextWriter;

/* Start a text of at most `max` bytes; false if they do not fit. */
bool text_writer(TextWriter *writer, size_t max, TextRoom *room);
void text_write(TextWriter *writer, const char *text, int length, int origin);
/* Copy bytes `from` to `to` - 1 of `part`, with their origins. */
void text_keep(TextWriter *writer, TextPart part, int from, int to);
/* Return the new text as a part that replaces `part`. */
TextPart text_written(TextWriter *writer, TextPart part);

typedef struct TextStep TextStep;

/* A match: `length` bytes, starting at `start`. */
typedef struct {
    int start, length;
} TextMatch;

/* Find the next match at or after byte `from` of `text`; false if there is none. */
typedef bool TextFind(const TextStep *step, const char *text, int length, int from,
                      TextMatch *match);

/* What to do with a match: drop it; make it a part; join it to the text before or after
 * it; or join adjacent matches, and likewise the text between them. */
typedef enum {
    SPLIT_REMOVED,
    SPLIT_ISOLATED,
    SPLIT_WITH_PREVIOUS,
    SPLIT_WITH_NEXT,
    SPLIT_CONTIGUOUS,
} SplitBehavior;

/* Fields are named after their effect; each type reads its own from the file. */
struct TextStep {
    const char *type;
    /* Normalizer or pre-tokenizer: transform `part` and add the result to `out`. */
    void (*apply)(const TextStep *step, TextPart part, TextParts *out, TextRoom *room);
    /* Decoder: change the text of tokens; a token that was merged becomes empty. */
    void (*decode)(const TextStep *step, Bytes *token, int count, TextRoom *room);
    TextFind *find;      /* finds the pattern */
    const char *pattern; /* if the pattern is literal text */
    const char *content; /* the replacement, the prefix, or what is stripped */
    const char *scheme;  /* when Metaspace adds its prefix: always, first, never */
    NormalForm form;
    SplitBehavior behavior;
    long long start, stop; /* the most times that `content` is stripped */
    bool invert;           /* match the text between matches instead */
    bool prefix_space, use_regex, individual, split, clean, chinese, accents, lowercase;
    bool accents_as_lowercase; /* `accents` is null: use `lowercase` */
    bool left, right, cleanup;
};
