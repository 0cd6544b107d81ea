/* compare_draw.h - the figure of two runs: their difference, or both side by side. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Two runs, and where to look. */
typedef struct {
    Snapshot before, after;
    const char *address; /* with its words, which each run has elsewhere; NULL: the
                            first that differs */
} Pair;

/* Draw what both runs have at the address, or, where that is NULL, the first of what
 * differs, in the terminal or to the file that -o names. */
bool compare_draw(Session *session, const Arguments *arguments, const Pair *pair,
                  const Differences *differences, Error *error);
