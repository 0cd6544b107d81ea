/* look.h - styled text for a terminal: escape sequences, widths, and line breaks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { LOOK_DEFAULT = -1 }; /* the terminal's default color */

typedef struct {
    int ink, paper; /* one of 256 colors, or 0xRRGGBB, or LOOK_DEFAULT */
    bool bold, faint, turned, underlined;
} Look;

extern const Look look_plain;

/* Is there a style sequence at `text`? If so, apply it to `*look` and return its length
 * in bytes; else return 0. */
int look_read(const char *text, Look *look);

/* Return the width of the first `length` bytes in cells; style sequences have no
 * width. */
int look_width(const char *text, size_t length, Arena *arena);

/* Return the line, or as much of it as fits into `width` cells followed by "…". Numbers
 * are not cut. Allocated in `arena`. */
const char *look_cut(const char *line, int width, Arena *arena);

/* Return the number of bytes of the words at `text` that fit into `width` cells. If the
 * first word is wider than a line, return the letters that fit, at least one. 0 at the
 * end. The spaces after them belong to no line. `text` has no style sequences. */
size_t look_fold(const char *text, int width);

/* Return a bar drawn in eighths of a cell, `most` cells long for a fraction of 1, in
 * `arena`. */
const char *look_bar(double share, int most, Arena *arena);
