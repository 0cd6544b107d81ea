/* history.h - the lines that were typed, kept from one session to the next. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { HISTORY_LINES = 1000 }; /* that are kept in the file */

typedef struct {
    Arena arena;
    const char **line; /* the oldest first */
    int count, capacity;
} History;

/* Where it is kept, in `arena`; NULL where there is no place. */
const char *history_path(Arena *arena);

/* The lines of the file, if there is one. */
void history_read(History *history, const char *path);

/* Keep a line; false for one that is empty, like the line before, or begins with a
 * space. */
bool history_add(History *history, const char *line);

/* Write the last of them, for nobody else to read. */
bool history_save(const History *history, const char *path, Error *error);

void history_free(History *history);
