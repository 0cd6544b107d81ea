/* draw_alone.h - figures that need no sentence: what is the same for all of them. */
#pragma once

#include "shell/command.h"
#include "view/figure.h"

/* `draw position --length 100`, `draw schedule --warmup 4000`. */
typedef struct {
    const char *name;
    bool needs_model;
    const char *flags; /* of flags_alone, with a comma behind each */
    bool (*make)(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
} Alone;

/* The row that the command's first word names, or NULL. */
const Alone *alone_find(const Arguments *arguments);

/* Are all flags for figures that stand alone meant for this one (NULL: for none)? Fails
 * with the one that is not. */
bool alone_check(const Alone *alone, const Arguments *arguments, Error *error);

/* The flags that they read. */
extern const Flag flags_alone[];
