/* markdown.h - Markdown as a list of blocks. The home of md4c.
 *
 * Raw HTML is plain text here, and of a link only the text is used: nothing in a file
 * is run, fetched or opened. The text may contain anything: use unicode_escape() to
 * print it. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

typedef enum { SPAN_TEXT, SPAN_CODE, SPAN_STRONG, SPAN_EMPHASIS, SPAN_LINK } SpanKind;

/* Text of one kind. */
typedef struct {
    SpanKind kind;
    const char *text;
    const char *target; /* of the link around it, or NULL */
} Span;

typedef struct {
    Span *span;
    int count, capacity;
} Words;

typedef enum {
    PASSAGE_HEADING,
    PASSAGE_PROSE,
    PASSAGE_ITEM,  /* of a list */
    PASSAGE_QUOTE, /* a quoted paragraph */
    PASSAGE_CODE,  /* a block of code, fenced or indented */
    PASSAGE_ROW,   /* of a table */
    PASSAGE_RULE
} PassageKind;

typedef struct {
    PassageKind kind;
    int line;         /* in the file, from 1 */
    int level;        /* of a heading, 1 to 6; depth of an item, from 1 */
    int number;       /* of an item; 0: a bullet */
    bool is_head;     /* the header row of a table */
    Words words;      /* except for code and rows */
    Words *cell;      /* of a row */
    int cells;        /* number of cells */
    const char *info; /* the text after the fence, or "" */
    const char *text; /* the lines of code, with line ends */
} Passage;

typedef struct {
    Passage *part;
    int count, capacity;
} Markdown;

enum { MARKDOWN_BYTES_MAX = 1 << 20 };

/* Parse `text`, whose first line is line `line` of a file, into `arena`. Fail if it is
 * too long or nested too deeply. */
bool markdown_read(Markdown *markdown, Bytes text, int line, Arena *arena,
                   Error *error);

/* Return the text without formatting, with code in `backticks`; in `arena`. */
const char *words_plain(const Words *words, Arena *arena);

/* The same without backticks, for tables. */
const char *words_bare(const Words *words, Arena *arena);
