/* columns.h - a file of rows and columns: fields separated by commas, as RFC 4180 has
 * them, or by tabs; or one field a line.
 *
 * A row is reported whole or not at all: what is wrong with it is in `problem`, and
 * reading goes on behind it. */
#pragma once

#include "base/error.h"
#include "base/file.h"

typedef struct {
    const char *text; /* may hold a NUL, so `length` counts */
    size_t length;    /* bytes */
} Field;

enum { FIELDS_MAX = 256, COLUMNS_BYTES_MAX = 256 << 20 };

typedef struct {
    Field field[FIELDS_MAX];
    int count;
    int line;            /* the line of the file it begins at, from 1 */
    const char *problem; /* NULL: none */
} Row;

typedef struct {
    const char *next, *end; /* what is still to be read */
    int line;               /* of `next` */
    char separator;         /* ',' or '\t'; '\n': a line is one field */
} Columns;

/* The file at `path`, read into `arena`. Names ending in .csv have commas, in .tsv or
 * .tab tabs; of others, those whose first line has a tab have tabs, and the rest are
 * plain lines. A byte order mark is skipped. */
bool columns_open(Columns *columns, const char *path, Arena *arena, Error *error);

/* The next row that is not empty; fields lie in the file or, without their quotes, in
 * `arena`. False at the end. */
bool columns_next(Columns *columns, Arena *arena, Row *row);
