/* strength.h - a line whose width and darkness say how much it stands for, and the
 * legend that tells how to read it. */
#pragma once

#include "view/canvas.h"

/* How a weight becomes a line: as dark as its power, and so wide. */
typedef struct {
    double power;
    double thinnest, widest; /* for 0 and for 1 */
} Strength;

/* The line for a weight from 0 to 1. */
Stroke strength_stroke(double weight, const Strength *as, Color color);

/* Some weights as lines, below each other under `title`: the room they take, and how
 * they are drawn with the top left corner at `at`. */
Point strength_samples_size(Canvas *canvas, const char *title);
void strength_samples(Canvas *canvas, Point at, const char *title, const Strength *as,
                      Color color, Arena *arena);
