/* columns.h - a file of rows and columns: fields separated by commas (RFC 4180) or by
 * tabs, or one field per line.
 *
 * If a row is malformed, `problem` is set and its fields are not; reading continues
 * with the next row. */
#pragma once

#include "base/error.h"
#include "base/file.h"

typedef struct {
    const char *text; /* may contain a NUL, so use `length` */
    size_t length;    /* bytes */
} Field;

enum { FIELDS_MAX = 256, COLUMNS_BYTES_MAX = 256 << 20 };

typedef struct {
    Field field[FIELDS_MAX];
    int count;
    int line;            /* the line of the file where it starts, from 1 */
    const char *problem; /* NULL: none */
} Row;

typedef struct {
    const char *next, *end; /* the rest of the input */
    int line;               /* line number at `next` */
    char separator;         /* ',' or '\t'; '\n': a line is one field */
} Columns;

/* Read the file at `path` into `arena`. The extension .csv means commas; .tsv or .tab
 * means tabs. Any other file has tabs if its first line contains one, and plain lines
 * otherwise. A byte order mark is skipped. */
bool columns_open(Columns *columns, const char *path, Arena *arena, Error *error);

/* Get the next row that is not empty; fields point into the file or, without their
 * quotes, into `arena`. False at the end. */
bool columns_next(Columns *columns, Arena *arena, Row *row);
