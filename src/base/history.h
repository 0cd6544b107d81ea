/* history.h - the lines that were typed, kept from one session to the next.
 *
 * Each line is added to the file as it is typed, so that several sessions at a time, or
 * one that is killed, lose none. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { HISTORY_LINES = 1000 }; /* that are kept in the file */

typedef struct {
    Arena arena;
    const char **line; /* the oldest first */
    int count, capacity;
    const char *folder; /* where the file is; NULL: lines are not kept */
    bool is_lost;       /* they could not be, for this reason */
    Error lost;
} History;

/* Take the lines of the file, if there is one, and add to it from now on. */
void history_open(History *history);

/* Keep a line; false for one that is empty, like the line before, or begins with a
 * space. */
bool history_add(History *history, const char *line);

/* Shorten the file to the last HISTORY_LINES, for nobody else to read; one that cannot
 * be read stays. Fails where this, or adding a line before, did. */
bool history_close(History *history, Error *error);

void history_free(History *history);
