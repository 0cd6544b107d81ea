/* look.h - texts for a terminal: how their letters look, how wide they are, and where
 * their lines end. */
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

/* The line, or as much of it as fits into `width` cells with "…" behind it, a number
 * whole or not at all; in `arena`. */
const char *look_cut(const char *line, int width, Arena *arena);

/* Bytes of the words from `text` on that fit into `width` cells; of a word that is
 * wider than a line the letters that fit, at least one. 0 at the end. The spaces behind
 * belong to no line. `text` holds no looks. */
size_t look_fold(const char *text, int width);

/* A bar of eighths of a cell, `most` cells for a share of 1, in `arena`. */
const char *look_bar(double share, int most, Arena *arena);
