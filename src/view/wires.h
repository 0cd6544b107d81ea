/* wires.h - lines of box-drawing letters on a canvas of characters: where lines meet
 * stands the letter that joins them. */
#pragma once

#include "view/canvas.h"

typedef struct {
    int width, height;
    unsigned char *ends; /* of each cell: to which of its neighbours a line leads */
} Wires;

/* None yet, for so many cells, in `arena`. */
Wires wires_new(int width, int height, Arena *arena);

/* A line from cell to cell, level in row `y` or upright in column `x`. */
void wires_level(Wires *wires, int y, int from, int to);
void wires_upright(Wires *wires, int x, int from, int to);

/* All of them, with the top left corner at `at`. */
void wires_draw(const Wires *wires, Canvas *canvas, Point at);
