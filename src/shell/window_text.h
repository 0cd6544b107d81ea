/* window_text.h - the window of the prompt: blocks as lines of text.
 *
 * Lines go out as they are said, so that what is long can be watched and stopped, and a
 * pipe gets a result as soon as it is flushed. How each kind of block looks stands in
 * the files window_*.c, see window_draw.h. */
#pragma once

#include <stdio.h>

#include "view/page.h"

typedef struct {
    Window window; /* this one, for a page */
    FILE *out;
    int file; /* the descriptor behind it, also while a pager keeps the lines */
    bool is_terminal;
    const int *width; /* the columns that the person wants; 0: as the terminal has */
    const int *color; /* and the colours: an index of color_modes, see session.h */
    Arena arena;      /* emptied after each block */
    int standing;     /* lines at the end of the terminal that progress writes again */
    double shown;     /* when it did, in seconds of a clock */
    bool failed;      /* the block that is being drawn has, for this reason */
    Error error;
} TextWindow;

/* A window on `out`, in `arena`; it looks at the wishes each time. */
TextWindow *window_text_new(Arena *arena, FILE *out, const int *width,
                            const int *color);

/* Give back what it took for drawing. */
void window_text_free(TextWindow *text);

/* The width to print within, and the colours that the output has. */
int window_text_width(const TextWindow *text);
Colors window_text_colors(const TextWindow *text);
