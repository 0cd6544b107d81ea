/* builder.h - a long text that is written piece by piece. */
#pragma once

#include <stdio.h>

#include "base/arena.h"

typedef struct {
    Arena *arena;
    char *text; /* what was written so far; NULL before anything was */
    int count, capacity;
} Builder;

/* Write a formatted piece, and one as it stands. */
__attribute__((format(printf, 2, 3))) void build(Builder *builder, const char *format,
                                                 ...);
void build_text(Builder *builder, const char *text);

/* A stream whose bytes end in the builder once they are flushed; NULL where none can be
 * made. The caller closes it, and keeps the builder where it is until then. */
FILE *builder_stream(Builder *builder);

/* All that was written, in the arena; "" if nothing was. */
const char *builder_text(const Builder *builder);

/* `text` as one field, in `arena`: in quotes where it must be. A spreadsheet would take
 * a text that begins like a formula for one, so that is behind an apostrophe. */
const char *csv_field(const char *text, Arena *arena);
