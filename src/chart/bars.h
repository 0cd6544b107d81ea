/* bars.h - the best of a long row as bars labeled with their words, and the sum of all
 * others as one bar: the probabilities of the next word, out of thousands. */
#pragma once

#include "canvas/canvas.h"
#include "chart/matrix.h"

enum { BARS_BEST = 8, BARS_MAX = 1000 };

/* One line: a word, its bar, and the text after the bar. */
typedef struct {
    const char *word, *text;
    double from, to; /* start and end of the bar, 0 to 1 */
    bool marked;     /* the chosen word */
    bool rest;       /* the sum of all others */
} Bar;

/* The bars of one row of a matrix. */
typedef struct {
    const char *title; /* "after ·met"; "": there is only one */
    Bar *bar;
    int count;
} BarGroup;

typedef struct {
    BarGroup *group;
    int count;
    double zero;  /* position of 0, 0 to 1 */
    bool shares;  /* fractions of 1: the others have a sum */
    bool by_size; /* differences, ranked by size */
    bool marks;   /* some word is marked as chosen */
} Bars;

/* Options of bars. */
typedef struct {
    const Matrix *matrix;       /* its `marked` is the chosen word */
    const char *const *heading; /* for each matrix */
    int count;
    int best; /* how many per row */
    bool shares;
    bool by_size; /* rank by distance from 0 */
} BarsOptions;

/* Return the best of each row, equal ones in order, in `arena`. Masked cells and NaN
 * are skipped. */
Bars bars_rank(const BarsOptions *options, Arena *arena);

typedef struct {
    const Bars *bars;
    int per_row;
    double word, bar, text; /* widths of the columns */
    double pitch;           /* distance between lines */
    double across;          /* distance between groups */
    double top; /* from the top of a group to its first line: the height of its title */
    const double *down; /* where each row of groups starts */
    double width, height;
} BarsLayout;

/* Lay out the bars on the canvas; the layout is in the canvas's arena. */
BarsLayout bars_plan(const Bars *bars, Canvas *canvas);

void bars_draw(const BarsLayout *layout, Canvas *canvas, Point at);
