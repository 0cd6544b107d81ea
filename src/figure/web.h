/* web.h - a figure as a part of a page of HTML: an <svg> whose letters are letters and
 * whose ink is that of the page, light or dark.
 *
 * Lengths are those of a picture, so that a figure looks there as it does in a PNG.
 * How its classes look, the page says (see assets/page/walk.css): "m" and "e" are
 * texts that stand with their middle or end at their place, "b" bold, "f" faint; "k"
 * and "w" black and white on a coloured cell. Matrices are marked: a rectangle of the
 * class "cells" lies over each, and says in data-of which table of the page holds its
 * numbers, "n3", and in data-size how many rows and columns it has. */
#pragma once

#include "base/builder.h"
#include "figure/figure.h"

/* What hatches cells, for all figures of a page: it is there once, before them. */
extern const char web_hatching[];

/* Write the figure as <svg>, with its title for those who do not see it. Its matrices
 * are those of its slices in their order; the first one's numbers are in the table
 * `table`. What its letters need is measured by `letters`, a canvas of image.h. Fails,
 * with nothing written, where it cannot be drawn. */
bool web_figure(const Figure *figure, int table, Canvas *letters, Builder *html,
                Error *error);
