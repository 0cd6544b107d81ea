/* web.h - a figure as part of an HTML page: an <svg> with real text, in the light or
 * dark colors of the page.
 *
 * Lengths are those of a picture, so a figure looks the same as in a PNG. The page
 * defines its classes (see assets/page/walk.css): "m" and "e" are texts aligned by
 * their middle or end, "b" bold, "f" faint; "k" and "w" are black and white text on a
 * colored cell. Each matrix is covered by a rectangle of class "cells": data-of names
 * the page's table with its numbers, "n3", and data-size gives the number of rows and
 * columns. */
#pragma once

#include "base/builder.h"
#include "figure/figure.h"

/* The hatching pattern for all figures of a page, written once before them. */
extern const char web_hatching[];

/* Write the figure as <svg>, with its title for screen readers. Its matrices are those
 * of its slices, in order; the numbers of the first one are in table number `table`.
 * `letters`, a canvas of image.h, measures text. Fails, with nothing written, if the
 * figure cannot be drawn. */
bool web_figure(const Figure *figure, int table, Canvas *letters, Builder *html,
                Error *error);
