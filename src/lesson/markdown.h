/* markdown.h - Markdown as a list of parts, one below the other. The home of md4c.
 *
 * Raw HTML is plain text here, and a link is its words: nothing of a file is run,
 * fetched or opened. What comes from the file may hold anything: unicode_escape() it
 * where it is printed. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

typedef enum { SPAN_TEXT, SPAN_CODE, SPAN_STRONG, SPAN_EMPHASIS, SPAN_LINK } SpanKind;

/* Words of one kind. */
typedef struct {
    SpanKind kind;
    const char *text;
    const char *target; /* of the link that it is in, or NULL */
} Span;

typedef struct {
    Span *span;
    int count, capacity;
} Words;

typedef enum {
    PASSAGE_HEADING,
    PASSAGE_PROSE,
    PASSAGE_ITEM,  /* of a list */
    PASSAGE_QUOTE, /* a paragraph that is quoted */
    PASSAGE_CODE,  /* a block of code, fenced or indented */
    PASSAGE_ROW,   /* of a table */
    PASSAGE_RULE
} PassageKind;

typedef struct {
    PassageKind kind;
    int line;         /* of the file, from 1 on */
    int level;        /* of a heading, 1 to 6; how deep an item stands, from 1 on */
    int number;       /* of an item; 0: it has a bullet */
    bool is_head;     /* of a table: the row above the others */
    Words words;      /* but for code and rows */
    Words *cell;      /* of a row */
    int cells;        /* how many */
    const char *info; /* of code: what follows the fence, or "" */
    const char *text; /* of code: its lines, each with its end */
} Passage;

typedef struct {
    Passage *part;
    int count, capacity;
} Markdown;

enum { MARKDOWN_BYTES_MAX = 1 << 20 };

/* The parts of `text`, whose first line is line `line` of a file; all in `arena`. Fails
 * where it is too long, or nested deeper than anybody writes. */
bool markdown_read(Markdown *markdown, Bytes text, int line, Arena *arena,
                   Error *error);

/* The words without marks, code in `backticks`; in `arena`. */
const char *words_plain(const Words *words, Arena *arena);

/* The same without these, for tables. */
const char *words_bare(const Words *words, Arena *arena);
