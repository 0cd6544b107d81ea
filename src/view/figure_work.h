/* figure_work.h - a figure on its way to a canvas: what figure.c draws and
 * figure_file.c writes to files have in common. */
#pragma once

#include "view/figure.h"
#include "view/panels.h"

typedef struct Work {
    const Figure *figure;
    Canvas *canvas;
    Arena *arena;
    bool whole; /* everything is shown, however large */
    Matrix *matrix;
    const char **heading;
    int count, per_row;
    Scale scale;
    Panels panels;
    Plot plot;
    PlotLayout layout;
    DiagramLayout diagram;
    BranchesLayout branches;
    Bars bars;
    BarsLayout bars_layout;
    Facts facts; /* of the figure, safe to print */
    const char *note;
    double width, height; /* of the drawing */
    void (*draw)(struct Work *work, Point at);
} Work;

/* How the kinds are planned that have a file of their own. */
bool plan_bars(Work *work, Error *error);

/* Title, drawing and footer, one below the other, on the canvas, which becomes as large
 * as they are. */
bool figure_draw(Work *work, Error *error);
