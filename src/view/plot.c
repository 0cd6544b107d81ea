#include "view/plot.h"

#include <math.h>
#include <string.h>

/* Pixels, and characters. */
enum { WIDE = 640, HIGH = 360, SAMPLE = 28, WORD_MOST = 24 };
enum {
    HIGH_GRID = 16,
    SAMPLE_GRID = 2,
    LEAST_GRID = 24,
    MOST_GRID = 100,
    STACK_MOST = 8
};

static bool is_named(const Series *series) {
    return !series->is_raw && *series->name;
}

/* How many lines the legend has: one curve, named as its axis, needs none. */
static int legend_lines(const Plot *plot) {
    int curves = 0;
    for (int s = 0; s < plot->count; s++) curves += is_named(&plot->series[s]);
    if (curves != 1) return curves;
    return strcmp(plot->series[plot->count - 1].name, plot->y_title) != 0;
}

static void find_range(PlotLayout *layout) {
    double least = INFINITY;
    double most = -INFINITY;
    layout->x_least = INFINITY;
    layout->x_most = -INFINITY;
    for (int i = 0; i < layout->plot->count; i++) {
        const Series *series = &layout->plot->series[i];
        for (int k = 0; k < series->count; k++) {
            if (!isfinite(series->y[k])) continue;
            layout->x_least = fmin(layout->x_least, series->x[k]);
            layout->x_most = fmax(layout->x_most, series->x[k]);
            least = fmin(least, series->y[k]);
            most = fmax(most, series->y[k]);
        }
    }
    if (least > most) layout->x_least = layout->x_most = least = most = 0;
    if (layout->x_least == layout->x_most) {
        layout->x_least -= 0.5;
        layout->x_most += 0.5;
    }
    if (least == most) {
        least -= 0.5;
        most += 0.5;
    }
    layout->y_least = least;
    layout->y_most = most;
}

/* Steps, places and how often something occurs are counted: there is none at 3.5. */
static int whole_ticks(double least, double most, int wanted, double *tick,
                       int *decimals) {
    int ticks;
    do ticks = scale_ticks(least, most, wanted, tick, decimals);
    while (*decimals > 0 && --wanted > 0);
    return ticks;
}

/* The axis of y ends at round numbers, and the curves do not touch its ends. */
static void choose_ticks(PlotLayout *layout, int across, int down) {
    bool counted = layout->plot->counted;
    int (*x_ticks)(double, double, int, double *, int *) =
        counted ? scale_ticks : whole_ticks;
    int (*y_ticks)(double, double, int, double *, int *) =
        counted ? whole_ticks : scale_ticks;
    layout->y_ticks = y_ticks(layout->y_least, layout->y_most, down, layout->y_tick,
                              &layout->y_decimals);
    double step = layout->y_ticks > 1 ? layout->y_tick[1] - layout->y_tick[0] : 1;
    layout->y_least = floor(layout->y_least / step + 1e-6) * step;
    layout->y_most = ceil(layout->y_most / step - 1e-6) * step;
    layout->y_ticks = y_ticks(layout->y_least, layout->y_most, down, layout->y_tick,
                              &layout->y_decimals);
    layout->x_ticks = x_ticks(layout->x_least, layout->x_most, across, layout->x_tick,
                              &layout->x_decimals);
}

static double widest_tick(const PlotLayout *layout, Canvas *canvas, Arena *arena) {
    double most = 0;
    for (int i = 0; i < layout->y_ticks; i++)
        most = fmax(most, canvas->measure(canvas, (Style){0},
                                          arena_print(arena, "%.*f", layout->y_decimals,
                                                      layout->y_tick[i])));
    return most;
}

static double legend_width(const Plot *plot, Canvas *canvas) {
    double most = 0;
    if (legend_lines(plot) == 0) return 0;
    for (int i = 0; i < plot->count; i++)
        most = fmax(most, canvas->measure(canvas, (Style){0}, plot->series[i].name));
    const Metrics *metrics = &canvas->metrics;
    if (most == 0) return 0;
    return most + metrics->gap + (metrics->characters ? SAMPLE_GRID : SAMPLE);
}

/* The first word must not reach below the numbers of the axis, nor the last one beyond
 * the frame. */
static double words_inset(const Plot *plot, Canvas *canvas) {
    if (!plot->words || plot->word_count == 0) return 0;
    double first = canvas->measure(canvas, (Style){0}, plot->words[0]);
    double last =
        canvas->measure(canvas, (Style){0}, plot->words[plot->word_count - 1]);
    return fmin(fmax(first, last), WIDE / 6.0) / 2 + canvas->metrics.gap;
}

/* The frame of the curves: the legend beside it, or under it where that is too narrow.
 */
static void place_frame(PlotLayout *layout, Canvas *canvas, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    double legend = legend_width(layout->plot, canvas);
    Box *frame = &layout->frame;
    frame->x = ceil(widest_tick(layout, canvas, arena)) + metrics->gap;
    if (!grid) frame->x += metrics->line + metrics->gap;
    frame->y = grid ? 1 : metrics->gap;
    int rows = layout->plot->rows ? layout->plot->rows : HIGH_GRID;
    frame->height = grid ? rows : HIGH;
    double most = metrics->most > 0 ? fmin(metrics->most, MOST_GRID) : MOST_GRID;
    frame->width = grid ? most - frame->x - legend - 2 : WIDE;
    bool narrow = grid && frame->width < LEAST_GRID;
    if (narrow) frame->width = fmax(most - frame->x - 1, 2);
    layout->inset = grid ? 0.5 : 0;
    layout->inset_across = grid ? 0.5 : words_inset(layout->plot, canvas);
    layout->legend = (Point){frame->x + frame->width + 2 * metrics->gap, frame->y};
    layout->width = ceil(layout->legend.x + legend);
    if (!narrow) return;
    layout->legend = (Point){0, -1};
    layout->width = most;
}

/* From one whole number to the next along x. */
static double pitch(const PlotLayout *layout) {
    return (layout->frame.width - 2 * layout->inset_across) /
           (layout->x_most - layout->x_least);
}

PlotLayout plot_plan(const Plot *plot, Canvas *canvas, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    PlotLayout layout = {.plot = plot,
                         .legend_lines = legend_lines(plot),
                         .sample = grid ? SAMPLE_GRID : SAMPLE};
    find_range(&layout);
    choose_ticks(&layout, grid ? 5 : 8, grid ? 4 : 6);
    place_frame(&layout, canvas, arena);
    double below = metrics->line;
    if (plot->words) {
        const char **words = labels_shorten(plot->words, plot->word_count,
                                            grid ? STACK_MOST : WORD_MOST, arena);
        layout.words =
            labels_across(canvas, words, plot->word_count, pitch(&layout), true, true);
        below = layout.words.extent;
    }
    layout.height = layout.frame.y + layout.frame.height +
                    (grid ? 1 : metrics->gap / 2) + below + metrics->line;
    double legend = layout.legend_lines * metrics->line;
    if (layout.legend.y < 0) {
        layout.legend.y = layout.height;
        layout.height += legend;
    }
    layout.height = ceil(fmax(layout.height, layout.frame.y + legend));
    return layout;
}
