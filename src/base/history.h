/* history.h - the typed lines, kept from one session to the next.
 *
 * Each line is appended to the file as it is typed. Concurrent sessions, and a session
 * that is killed, lose no lines. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { HISTORY_LINES = 1000 }; /* kept in the file */

typedef struct {
    Arena arena;
    const char **line; /* oldest first */
    int count, capacity;
    const char *folder; /* folder of the file; NULL: lines are not kept */
    bool is_lost;       /* a line could not be added, for this reason */
    Error lost;
} History;

/* Read the lines of the file, if it exists, and append to it from now on. */
void history_open(History *history);

/* Add a line; false if it is empty, equals the previous line, or starts with a
 * space. */
bool history_add(History *history, const char *line);

/* Shorten the file to the last HISTORY_LINES, readable only by its owner. A file that
 * cannot be read stays as it is. Fails if that fails or if adding a line failed
 * earlier. */
bool history_close(History *history, Error *error);

void history_free(History *history);
