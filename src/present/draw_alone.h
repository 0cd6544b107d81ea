/* draw_alone.h - figures that need no sentence: what is the same for all of them, and
 * the map, which shows the sentence at hand where there is one. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* `draw position --length 100`, `draw schedule --warmup 4000`. */
typedef struct {
    const char *name;
    Needs needs;
    const char *flags; /* of flags_alone, with a comma behind each */
    bool (*make)(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
    /* Say by flags what it takes from the session otherwise; NULL: nothing. */
    void (*tell)(const Session *session, Arguments *told, Arena *arena);
} Alone;

/* The row that the command's first word names, or NULL. */
const Alone *alone_find(const Arguments *arguments);

/* Are all flags for figures that stand alone meant for this one (NULL: for none)? Fails
 * with the one that is not. */
bool alone_check(const Alone *alone, const Arguments *arguments, Error *error);

/* The flags that they read. */
extern const Flag flags_alone[];

/* `figure` becomes the map, without facts. A stage named by --at goes before the one
 * where the walk is. Fails where there is no such stage, or no model. */
bool show_map(Session *session, const Arguments *arguments, Figure *figure,
              Error *error);

/* `figure` becomes the heatmap [said, source], without facts: the mean over the heads,
 * or one of them by --head. */
bool show_looked(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
