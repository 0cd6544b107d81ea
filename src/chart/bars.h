/* bars.h - the best of a long row as bars, each with its word, and the others together
 * in one: what a model holds for the next word, of thousands. */
#pragma once

#include "canvas/canvas.h"
#include "chart/matrix.h"

enum { BARS_BEST = 8, BARS_MOST = 1000 };

/* One line: its word, its bar, and what follows the bar. */
typedef struct {
    const char *word, *text;
    double from, to; /* where the bar begins and ends, of 0 to 1 */
    bool marked;     /* the word that was taken */
    bool rest;       /* all others */
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
    double zero;  /* where 0 lies, of 0 to 1 */
    bool shares;  /* of 1: the others have a sum */
    bool by_size; /* they are differences */
    bool marks;   /* some word was taken */
} Bars;

/* What is to be shown of the matrices. */
typedef struct {
    const Matrix *matrix;       /* `marked` of each is the word that was taken */
    const char *const *heading; /* of each matrix */
    int count;
    int best; /* of each row */
    bool shares;
    bool by_size; /* the farthest from 0 are the best */
} BarsOptions;

/* The best of each row, the first of equals before, in `arena`. What is masked or no
 * number is left out. */
Bars bars_rank(const BarsOptions *options, Arena *arena);

typedef struct {
    const Bars *bars;
    int per_row;
    double word, bar, text; /* how wide the columns are */
    double pitch;           /* from line to line */
    double across;          /* from group to group */
    double top;             /* of the first line in its group: its title's height */
    const double *down;     /* where each row of groups begins */
    double width, height;
} BarsLayout;

/* How they stand on the canvas; what is kept lives in the canvas's arena. */
BarsLayout bars_plan(const Bars *bars, Canvas *canvas);

void bars_draw(const BarsLayout *layout, Canvas *canvas, Point at);
