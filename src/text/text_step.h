/* text_step.h - a step on the way from a sentence to the pieces that a tokenizer's
 * model cuts (normalizers, pre-tokenizers), or from tokens back to text (decoders).
 *
 * Source: the components of tokenizer.json as the library tokenizers 0.23 runs them. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"

/* A part of a sentence on its way, or a token that was found in it as a whole. */
typedef struct {
    const char *text;  /* valid UTF-8; no '\0' behind it */
    const int *origin; /* by byte, and one more: the byte of the sentence it is from */
    int length;        /* bytes */
    int id;            /* of the token, which no step changes; -1: text */
} TextPart;

typedef struct {
    TextPart *part;
    int count, capacity;
} TextParts;

/* Where all memory comes from that steps take for one text. A file may ask for steps
 * that make a text larger and larger: before any of it is taken, the room is asked. A
 * step that is refused leaves its text as it is; whoever runs it looks at `is_spent`.
 */
typedef struct {
    Arena *arena;
    size_t left;   /* bytes that may still be taken */
    bool is_spent; /* more were wanted */
} TextRoom;

enum { TEXT_ROOM_BYTES = 48 << 20, TEXT_PIECE_BYTES = 64 /* lost beside a piece */ };

TextRoom text_room(Arena *arena);

/* `bytes` less are left, or the room is spent. */
bool text_room_has(TextRoom *room, size_t bytes);

/* Empty parts are left out, and those that the room has no place for. */
void text_parts_add(TextParts *parts, TextPart part, TextRoom *room);

/* `length` bytes of a part from byte `start` on. */
TextPart text_part_within(TextPart part, int start, int length);

/* A part that is written anew. */
typedef struct {
    char *text;
    int *origin;
    int length;
} TextWriter;

/* For at most `most` bytes; false: the room is spent. */
bool text_writer(TextWriter *writer, size_t most, TextRoom *room);
void text_write(TextWriter *writer, const char *text, int length, int origin);
/* The bytes `from` to `to` - 1 of `part`, from where they are. */
void text_keep(TextWriter *writer, TextPart part, int from, int to);
/* What was written instead of `part`. */
TextPart text_written(TextWriter *writer, TextPart part);

typedef struct TextStep TextStep;

/* Where something is found: `length` bytes from `start` on. */
typedef struct {
    int start, length;
} TextMatch;

/* The next match in `text` at or behind byte `from`; false: none. */
typedef bool TextFind(const TextStep *step, const char *text, int length, int from,
                      TextMatch *match);

/* What becomes of a match: dropped; a part of its own; one with what is in front of it,
 * or behind; matches side by side are one part, and so is what lies between. */
typedef enum {
    SPLIT_REMOVED,
    SPLIT_ISOLATED,
    SPLIT_WITH_PREVIOUS,
    SPLIT_WITH_NEXT,
    SPLIT_CONTIGUOUS,
} SplitBehavior;

/* The fields are those of the file, by what they do; each type reads its own. */
struct TextStep {
    const char *type;
    /* Of a normalizer or pre-tokenizer: what becomes of `part`, added to `out`. */
    void (*apply)(const TextStep *step, TextPart part, TextParts *out, TextRoom *room);
    /* Of a decoder: change the texts of tokens; one that is used up becomes empty. */
    void (*decode)(const TextStep *step, Bytes *token, int count, TextRoom *room);
    TextFind *find;      /* what a pattern finds */
    const char *pattern; /* where it is a text */
    const char *content; /* what is put there, in front, or taken off */
    const char *scheme;  /* when Metaspace puts one in front: always, first, never */
    SplitBehavior behavior;
    long long start, stop; /* how often `content` is taken off at most */
    bool invert;           /* what is between matches is meant */
    bool prefix_space, use_regex, individual, split, clean, chinese, accents, lowercase;
    bool accents_as_lowercase; /* `accents` is null: as `lowercase` */
    bool left, right, cleanup;
};
