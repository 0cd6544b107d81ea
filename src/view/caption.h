/* caption.h - the words over and under a figure: its title, and the facts that say how
 * it was made, wrapped to its width. */
#pragma once

#include "view/canvas.h"
#include "view/fact.h"

typedef struct {
    const char **line;
    int count;
    Style style;
    double pitch; /* from line to line */
    double width; /* of the longest */
    double height;
} Caption;

/* `title`, large, in lines of at most `width`; "" has no lines. In `arena`. */
Caption caption_title(const char *title, Canvas *canvas, double width, Arena *arena);

/* The facts, small; each stays in one line if it can. `note` comes first, or NULL. */
Caption caption_footer(const char *note, const Facts *facts, Canvas *canvas,
                       double width, Arena *arena);

/* Draw with the top left corner at `at`. */
void caption_draw(const Caption *caption, Canvas *canvas, Point at);
