/* compare_draw.h - the figure of two runs: their difference, or both side by side. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* A slice without its tensor, which need not outlive the runs that are made anew. */
typedef struct {
    const char *name;                 /* NULL: the first that differs */
    int from[RANK_MAX], to[RANK_MAX]; /* ALL: the whole axis */
} Look;

/* Two runs, and where to look. */
typedef struct {
    Snapshot before, after;
    Look look;
} Pair;

/* Draw the slice of both runs that is looked at, or of the first of the `count` that
 * differ, in the terminal or to the file that -o names. */
bool compare_draw(Session *session, const Arguments *arguments, const Pair *pair,
                  const Difference *found, int count, Error *error);
