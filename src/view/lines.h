/* lines.h - attention as lines between two columns of words: on the left those who ask,
 * on the right those who are asked, and a line for each weight, the stronger the wider
 * and clearer, in the colour of its head. In letters: for each word whom it asks most.
 *
 * The plan is plan_lines() of figure_draw.h; here stands what other drawings of
 * weighted lines share with it. */
#pragma once

#include "view/canvas.h"

/* How a weight becomes a line: as dark as its power, and so wide. */
typedef struct {
    double power;
    double thinnest, widest; /* for 0 and for 1 */
} LineScale;

/* The line for a weight from 0 to 1. */
Stroke lines_stroke(double weight, const LineScale *as, Color color);

/* Some weights as lines, below each other under `title`: the room they take, and how
 * they are drawn with the top left corner at `at`. */
Point lines_legend_size(Canvas *canvas, const char *title);
void lines_legend(Canvas *canvas, Point at, const char *title, const LineScale *as,
                  Color color);

/* The colour of a head, by its number in the layer. */
Color lines_color(int head);
