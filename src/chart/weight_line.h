/* weight_line.h - lines that stand for weights: the stronger the wider and clearer,
 * with the legend that tells how to read them. */
#pragma once

#include "canvas/canvas.h"

/* How a weight becomes a line: as dark as its power, and so wide. */
typedef struct {
    double power;
    double thinnest, widest; /* for 0 and for 1 */
} LineScale;

/* The line for a weight from 0 to 1. */
Stroke weight_line_stroke(double weight, const LineScale *as, Color color);

/* A line on its way to the canvas. */
typedef struct {
    double weight;
    bool pale;  /* it stays behind the others, and nearly white */
    int number; /* of equally strong ones the first comes first */
    Point ends[2];
    Color color;
} WeightLine;

/* Draw them, the weak ones first, so that none lies over a stronger one. */
void weight_lines_draw(WeightLine *line, int count, const LineScale *as,
                       Canvas *canvas);

/* Some weights as lines, below each other under `title`: the room they take, and how
 * they are drawn with the top left corner at `at`. */
Point weight_line_legend_size(Canvas *canvas, const char *title);
void weight_line_legend(Canvas *canvas, Point at, const char *title,
                        const LineScale *as, Color color);

/* The colour of a head, by its number in the layer. */
Color head_color(int head);
