/* panels.h - heatmaps side by side under one scale: all heads of a layer or of a model,
 * and the blocks that a matrix too wide for a terminal is cut into. */
#pragma once

#include "chart/heatmap.h"
#include "chart/scale.h"

/* One heatmap, or many. */
typedef struct {
    const Matrix *matrix;
    const char *const *title; /* one for each matrix */
    int count;
    int per_row; /* side by side; 0: as many as look well */
    const Scale *scale;
    Annotate annotate;
    int rows_shown;  /* of each, see Heatmap; 0: all */
    bool row_sums;   /* where there is one matrix */
    bool whole;      /* a grid shows all of it, however large */
    bool is_compact; /* a grid: labels of one line, no names of axes, no scale */
} PanelsOptions;

typedef struct {
    Heatmap *heatmap;
    Point *at; /* their corners, from the panels' own */
    int count, per_row;
    bool titled; /* the axes are named once, for all of them */
    bool is_compact;
    ColorBar bar;
    Point bar_at;
    const char *note; /* what was left out, or NULL */
    double left, top; /* of the heatmaps */
    double cells_end; /* where the lowest of them ends */
    double width, height;
} Panels;

/* Arrange them on the canvas, in its arena. */
Panels panels_plan(const PanelsOptions *options, Canvas *canvas);

/* Draw with the top left corner at `at`. */
void panels_draw(const Panels *panels, Canvas *canvas, Point at);
