/* lines.h - attention as lines between two columns of words: on the left those who ask,
 * on the right those who are asked, and a line for each weight, the stronger the wider
 * and clearer, in the colour of its head. In letters: for each word whom it asks most.
 *
 * The plan is plan_lines() of figure_draw.h; here stands what other drawings of
 * weighted lines share with it. */
#pragma once

#include "canvas/canvas.h"

/* The colour of a head, by its number in the layer. */
Color lines_color(int head);
