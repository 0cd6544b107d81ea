/* plot.h - curves: numbers against position, loss against step. */
#pragma once

#include "canvas/canvas.h"
#include "chart/scale.h"

typedef struct {
    const char *name; /* in the legend; "": omitted */
    const double *x, *y;
    int count;   /* points that are not finite leave a gap */
    bool is_raw; /* drawn pale, in the color of the next series, which is its mean */
} Series;

typedef struct {
    const char *x_title, *y_title;
    const Series *series;
    int count;
    const char *const *words; /* at x = 0, 1, 2 ...; NULL: numbers */
    int word_count;
    bool counted; /* the plot shows frequencies: y is whole, x need not be, and the area
                     below a single curve is filled */
    int points;   /* of each curve, the first ones are drawn; 0: all */
    int rows;     /* height of the frame in characters; 0: default */
} Plot;

typedef struct {
    const Plot *plot;
    Box frame; /* of the curves, relative to the figure's corner */
    double x_min, x_max, y_min, y_max;
    double x_tick[TICKS_MAX], y_tick[TICKS_MAX];
    int x_ticks, y_ticks, x_decimals, y_decimals;
    Labels words;
    double under; /* between the frame and the text below it */
    /* Distance between the curves and the edges of the frame. */
    double inset, inset_across;
    Point legend; /* its top left corner */
    int legend_lines;
    double sample; /* length of the sample lines in the legend */
    double width, height;
} PlotLayout;

/* Lay out `plot` on the canvas; the layout is in the canvas's arena. */
PlotLayout plot_plan(const Plot *plot, Canvas *canvas);

void plot_draw(const PlotLayout *layout, Canvas *canvas, Point at);

/* Return the curves of a matrix, in `arena`: one for each chosen column, over the rows.
 * If none are chosen: columns 0, 1, 2, 4, 8 and 16. Fails if a column does not exist,
 * or if there are more than CURVES_MAX. */
enum { CURVES_MAX = 24 };
bool plot_columns(const Matrix *matrix, const int *column, int count, Arena *arena,
                  Plot *plot, Error *error);
