/* panels.h - heatmaps side by side with one scale: all heads of a layer or of a model,
 * and the blocks of a matrix that is too wide for a terminal. */
#pragma once

#include "chart/heatmap.h"
#include "chart/scale.h"

/* One heatmap, or many. */
typedef struct {
    const Matrix *matrix;
    const char *const *title; /* one for each matrix */
    int count;
    int per_row; /* side by side; 0: automatic */
    const Scale *scale;
    Annotate annotate;
    int rows_shown;  /* in each, see Heatmap; 0: all */
    bool row_sums;   /* if there is only one matrix */
    bool whole;      /* show everything in a grid, however large */
    bool is_compact; /* in a grid: one-line labels, no names of axes, no scale */
} PanelsOptions;

typedef struct {
    Heatmap *heatmap;
    Point *at; /* corners of the heatmaps, relative to the panels */
    int count, per_row;
    bool titled; /* the axes are named once, for all of them */
    bool is_compact;
    ColorBar bar;
    Point bar_at;
    const char *note; /* what was omitted, or NULL */
    double left, top; /* of the heatmaps */
    double cells_end; /* bottom of the lowest heatmap */
    double width, height;
} Panels;

/* Arrange them on the canvas, in its arena. */
Panels panels_plan(const PanelsOptions *options, Canvas *canvas);

/* Draw with the top left corner at `at`. */
void panels_draw(const Panels *panels, Canvas *canvas, Point at);
