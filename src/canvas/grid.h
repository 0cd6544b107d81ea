/* grid.h - a canvas of character cells: a terminal, a text file, a test's expectation.
 *
 * One cell is one unit; Hangul takes two. Without colours fill() shows nothing and a
 * curve is drawn with its mark; with them a curve is drawn in Braille dots. */
#pragma once

#include "canvas/canvas.h"

typedef enum { COLORS_NONE, COLORS_256, COLORS_TRUE } Colors;

/* 1000 columns of 4000 lines, for which 200 MB are needed; more is no figure that
 * anybody reads. */
enum { GRID_CELLS_MOST = 4 * 1000 * 1000 };

/* A canvas in `arena`, for figures of at most `most` cells in width. */
Canvas *grid_new(Arena *arena, int most, Colors colors);

/* Its lines, each with '\n', without spaces at the end, in `arena`; "" before begin().
 * Colours are switched off at the end of each line. */
const char *grid_text(const Canvas *canvas, Arena *arena);
