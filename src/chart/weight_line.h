/* weight_line.h - lines that show weights, and a legend: a stronger one is wider and
 * darker. */
#pragma once

#include "canvas/canvas.h"

/* How a weight becomes a line: the darkness is weight^power. */
typedef struct {
    double power;
    double thinnest, widest; /* widths for 0 and for 1 */
} LineScale;

/* Return the line for a weight from 0 to 1. */
Stroke weight_line_stroke(double weight, const LineScale *as, Color color);

/* A line to draw on the canvas. */
typedef struct {
    double weight;
    bool pale;  /* drawn first, and nearly white */
    int number; /* order among lines of equal weight */
    Point ends[2];
    Color color;
} WeightLine;

/* Draw them, the weak ones first, so that none covers a stronger one. */
void weight_lines_draw(WeightLine *line, int count, const LineScale *as,
                       Canvas *canvas);

/* Return the size of a legend that shows some weights as lines, one below the other
 * under `title`; draw it with the top left corner at `at`. */
Point weight_line_legend_size(Canvas *canvas, const char *title);
void weight_line_legend(Canvas *canvas, Point at, const char *title,
                        const LineScale *as, Color color);

/* Return the color of a head, by its number in the layer. */
Color head_color(int head);
