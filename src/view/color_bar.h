/* color_bar.h - what the colours of a heatmap stand for: upright beside a picture, one
 * line under a grid. */
#pragma once

#include "view/scale.h"

typedef struct {
    const Scale *scale;
    double width, height;
    double strip;   /* how long the colours themselves are */
    double numbers; /* how wide the numbers beside an upright bar are */
} ColorBar;

/* A bar for `scale`, to stand beside something `height` high; a grid takes no notice
 * of the height. */
ColorBar color_bar_plan(const Scale *scale, Canvas *canvas, double height);

/* Draw it with the top left corner at `at`. */
void color_bar_draw(const ColorBar *bar, Canvas *canvas, Point at);
