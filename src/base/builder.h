/* builder.h - build a long text piece by piece. */
#pragma once

#include <stdio.h>

#include "base/arena.h"

typedef struct {
    Arena *arena;
    char *text; /* the text so far; NULL while it is empty */
    int count, capacity;
} Builder;

/* Append a formatted piece; append a piece or some bytes unchanged. */
__attribute__((format(printf, 2, 3))) void build(Builder *builder, const char *format,
                                                 ...);
void build_text(Builder *builder, const char *text);
void build_bytes(Builder *builder, const char *bytes, size_t count);

/* Append a formatted item of a list, with the separator before it unless it is the
 * first. */
__attribute__((format(printf, 3, 4))) void
build_item(Builder *builder, const char *separator, const char *format, ...);

/* Return a stream that appends to the builder when it is flushed, or NULL on failure.
 * The caller closes it and must not move the builder until then. */
FILE *builder_stream(Builder *builder);

/* Return the whole text, in the arena; "" if it is empty. */
const char *builder_text(const Builder *builder);

/* Return `text` as a CSV field, in `arena`, quoted if necessary. Text that a
 * spreadsheet would take for a formula is prefixed with an apostrophe. */
const char *csv_field(const char *text, Arena *arena);
