/* heatmap.h - one matrix as coloured cells, with its labels, numbers and sums.
 *
 * First heatmap_plan() finds out how large it will be, then heatmap_draw() draws it:
 * on a picture as squares of colour, on a grid as numbers or blocks. Without colours a
 * grid shows numbers, or the shades ░▒▓█ where numbers do not fit. */
#pragma once

#include "canvas/canvas.h"
#include "chart/scale.h"

typedef enum { ANNOTATE_WHERE_ROOM, ANNOTATE_ALWAYS, ANNOTATE_NEVER } Annotate;

typedef struct {
    Matrix matrix;
    const Scale *scale;
    const char *title; /* over the cells; "": none */
    Annotate annotate;
    bool row_sums;                  /* a column of them at the right */
    Matrix summed;                  /* over its rows: of a block, the whole matrix */
    bool labels_left, labels_above; /* false: a neighbour in the grid has them */
    bool titles;                    /* the names of the axes */
    double room_across, room_down;  /* for the cells of a picture */
    int label_most; /* cells of a grid that labels of columns are cut to; 0: as usual */
    int rows_shown; /* what is below them is left empty; 0: all are shown */
    double cell_fixed; /* their width in a grid; 0: as they fit */

    /* What the plan decided. */
    Labels rows, columns;
    bool numbers; /* cells show their value */
    double number_size;
    double cell_width, cell_height;
    double left, top; /* of the cells */
    double width, height;
} Heatmap;

/* Decide how it stands; what is kept lives in the canvas's arena. */
void heatmap_plan(Heatmap *heatmap, Canvas *canvas);

/* Draw with the top left corner at `at`. */
void heatmap_draw(const Heatmap *heatmap, Canvas *canvas, Point at);

/* "query ↓   key →": the titles of both axes in one line of a grid, in the canvas's
 * arena. */
const char *heatmap_titles(const Matrix *matrix, Canvas *canvas);

/* The titles of both axes in a picture, below `at`: over the cells, and `beside` them
 * on the left. `cells` lie from `at` on. */
void heatmap_draw_titles(const Matrix *matrix, Canvas *canvas, Point at, Box cells,
                         bool beside);
