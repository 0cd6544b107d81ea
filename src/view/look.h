/* look.h - how a letter looks, as it is written into a text for a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { LOOK_DEFAULT = -1 }; /* the terminal's own colour */

typedef struct {
    int ink, paper; /* of 256 colours, or 0xRRGGBB, or LOOK_DEFAULT */
    bool bold, faint, turned, underlined;
} Look;

extern const Look look_plain;

/* Does a look stand at `text`? Then `*look` becomes it. Returns its bytes, or 0. */
int look_read(const char *text, Look *look);

/* How many cells `length` bytes of a text take: looks take none. */
int look_width(const char *text, size_t length, Arena *arena);
