/* plot.h - curves: numbers against position, loss against step. */
#pragma once

#include "canvas/canvas.h"
#include "chart/scale.h"

typedef struct {
    const char *name; /* in the legend; "": not there */
    const double *x, *y;
    int count;   /* points that are not finite leave a gap */
    bool is_raw; /* what the series behind it is the mean of: pale, in its colour */
} Series;

typedef struct {
    const char *x_title, *y_title;
    const Series *series;
    int count;
    const char *const *words; /* at x = 0, 1, 2 ...; NULL: numbers */
    int word_count;
    bool counted; /* how often what is measured along x occurs: x need not be whole, y
                     is, and one curve alone stands on a filled area */
    int points;   /* of each curve that are drawn, the first ones; 0: all */
    int rows;     /* of letters, how high the frame is in characters; 0: as usual */
} Plot;

typedef struct {
    const Plot *plot;
    Box frame; /* of the curves, from the figure's corner */
    double x_least, x_most, y_least, y_most;
    double x_tick[TICKS_MOST], y_tick[TICKS_MOST];
    int x_ticks, y_ticks, x_decimals, y_decimals;
    Labels words;
    /* How far the curves stay away from the edges of the frame. */
    double inset, inset_across;
    Point legend; /* its top left corner */
    int legend_lines;
    double sample; /* how long the pieces of curves in it are */
    double width, height;
} PlotLayout;

/* How `plot` stands on the canvas; what is kept lives in the canvas's arena. */
PlotLayout plot_plan(const Plot *plot, Canvas *canvas);

void plot_draw(const PlotLayout *layout, Canvas *canvas, Point at);

/* The curves of a matrix, in `arena`: one for each chosen column against the rows.
 * Fails when a column is not there, or more than CURVES_MOST are asked for; none
 * chosen: the first and then 1, 2, 4, 8, 16. */
enum { CURVES_MOST = 24 };
bool plot_columns(const Matrix *matrix, const int *column, int count, Arena *arena,
                  Plot *plot, Error *error);
