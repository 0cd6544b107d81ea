/* heatmap.h - one matrix as colored cells, with its labels, numbers and sums.
 *
 * First heatmap_plan() computes its size, then heatmap_draw() draws it: in a picture as
 * colored squares, in a grid as numbers or blocks. Without colors a grid shows numbers,
 * or the shades ░▒▓█ if numbers do not fit. */
#pragma once

#include "canvas/canvas.h"
#include "chart/scale.h"

typedef enum { ANNOTATE_WHERE_ROOM, ANNOTATE_ALWAYS, ANNOTATE_NEVER } Annotate;

typedef struct {
    Matrix matrix;
    const Scale *scale;
    const char *title; /* above the cells; "": none */
    Annotate annotate;
    bool row_sums; /* a column of row sums on the right */
    Matrix summed; /* the matrix to sum: for a block, the whole matrix */
    bool dots;     /* in a grid: … where columns of `summed` are left out */
    bool labels_left, labels_above; /* false: a neighbor in the grid has them */
    bool titles;                    /* show the names of the axes */
    double room_across, room_down;  /* for the cells of a picture */
    int label_max;     /* width in cells that column labels are cut to in a grid; 0:
                           default */
    int rows_shown;    /* later rows are left empty; 0: show all */
    double cell_fixed; /* their width in a grid; 0: automatic */

    /* Results of the plan. */
    Labels rows, columns;
    bool numbers; /* cells show their value */
    double number_size;
    double cell_width, cell_height;
    double left, top; /* position of the cells */
    double width, height;
} Heatmap;

/* Compute the layout, in the canvas's arena. */
void heatmap_plan(Heatmap *heatmap, Canvas *canvas);

/* Draw with the top left corner at `at`. */
void heatmap_draw(const Heatmap *heatmap, Canvas *canvas, Point at);

/* Return "query ↓   key →", the titles of both axes on one line of a grid, in the
 * canvas's arena. */
const char *heatmap_titles(const Matrix *matrix, Canvas *canvas);

/* Draw the titles of both axes in a picture, below `at`: one above the cells, and one
 * to their left if `beside`. `cells` is relative to `at`. */
void heatmap_draw_titles(const Matrix *matrix, Canvas *canvas, Point at, Box cells,
                         bool beside);
