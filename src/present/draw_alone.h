/* draw_alone.h - figures that need no sentence: those that are the same for all
 * sentences, and the map, which shows the current sentence if there is one. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* A figure: `draw position --length 100`, `draw schedule --warmup 4000`. */
typedef struct {
    const char *name;
    Needs needs;
    const char *flags; /* flags of flags_alone, each followed by a comma */
    bool (*make)(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
    /* Add flags for what the figure takes from the session; NULL: nothing. */
    void (*tell)(const Session *session, Arguments *told, Arena *arena);
} Alone;

/* Return the row that the command's first word names, or NULL. */
const Alone *alone_find(const Arguments *arguments);

/* Is the command's only word the mistyped name of a figure? Then fail and suggest it.
 */
bool alone_mistyped(const Arguments *arguments, Arena *arena, Error *error);

/* Check that all flags in flags_alone apply to this figure (NULL: no figure). Fail with
 * the first one that does not. */
bool alone_check(const Alone *alone, const Arguments *arguments, Error *error);

/* The flags of these figures. */
extern const Flag flags_alone[];

/* Make `figure` the map, without facts. --at marks a stage other than the current one.
 * Fail if there is no such stage, or no model. */
bool show_map(Session *session, const Arguments *arguments, Figure *figure,
              Error *error);

/* Make `figure` the heatmap [said, source] of the attention weights, without facts: the
 * mean over the heads, or the head given by --head. */
bool show_looked(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
