/* compare_draw.h - a figure of two runs: their difference, or both side by side. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Two runs and an address. */
typedef struct {
    Snapshot before, after;
    const char *address; /* with its tokens, which may be at other positions in the
                            other run; NULL: the first tensor that differs */
} Pair;

/* Draw the address in both runs (NULL: the best tensor that differs) in the terminal or
 * to the file of -o. */
bool compare_draw(Session *session, const Arguments *arguments, const Pair *pair,
                  const Differences *differences, Error *error);
