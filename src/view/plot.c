#include "view/plot.h"

#include <math.h>
#include <string.h>

#include "view/theme.h"

/* Pixels, and characters. */
enum { WIDE = 640, HIGH = 360, SAMPLE = 28, WORD_MOST = 24 };
enum {
    HIGH_GRID = 16,
    SAMPLE_GRID = 2,
    LEAST_GRID = 24,
    MOST_GRID = 100,
    STACK_MOST = 8
};

static const char *const marks[] = {"o", "x", "+", "*", "a", "b", "c", "d",
                                    "e", "f", "g", "h", "i", "j", "k", "l",
                                    "m", "n", "p", "q", "r", "s", "t", "u"};

static Color pale(Color color) {
    const double part = 0.3;
    return (Color){1 - part * (1 - color.red), 1 - part * (1 - color.green),
                   1 - part * (1 - color.blue)};
}

/* Dashes and colours come round at different times, so that no two are alike, and a
 * print in grey still tells the first few apart. */
static Stroke stroke_of(const Plot *plot, int series) {
    int i = 0;
    for (int s = 0; s < series; s++) i += !plot->series[s].is_raw;
    Stroke stroke = {.color = palette_curve(i),
                     .width = 2,
                     .dash = i % STROKE_DASHES,
                     .mark = marks[i % CURVES_MOST]};
    if (!plot->series[series].is_raw) return stroke;
    return (Stroke){.color = pale(stroke.color), .width = 1, .mark = "."};
}

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
    PlotLayout layout = {.plot = plot};
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
    double legend = legend_lines(plot) * metrics->line;
    if (layout.legend.y < 0) {
        layout.legend.y = layout.height;
        layout.height += legend;
    }
    layout.height = ceil(fmax(layout.height, layout.frame.y + legend));
    return layout;
}

static Point place(const PlotLayout *layout, Point at, double x, double y) {
    double across = (x - layout->x_least) / (layout->x_most - layout->x_least);
    double down = (layout->y_most - y) / (layout->y_most - layout->y_least);
    const Box *frame = &layout->frame;
    double inset = layout->inset;
    double in = layout->inset_across;
    return (Point){at.x + frame->x + in + across * (frame->width - 2 * in),
                   at.y + frame->y + inset + down * (frame->height - 2 * inset)};
}

static void draw_y_axis(const PlotLayout *layout, Canvas *canvas, Point at,
                        Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    Stroke light = {.color = {0.9, 0.9, 0.9}, .width = 1};
    double left = at.x + layout->frame.x;
    for (int i = 0; i < layout->y_ticks; i++) {
        double y = place(layout, at, 0, layout->y_tick[i]).y;
        double sharp = metrics->characters ? y : floor(y) + 0.5;
        Point across[] = {{left, sharp}, {left + layout->frame.width, sharp}};
        if (!metrics->characters) canvas->line(canvas, across, 2, light);
        canvas->text(canvas, (Point){left - metrics->gap, y},
                     (Style){.align = ALIGN_END},
                     arena_print(arena, "%.*f", layout->y_decimals, layout->y_tick[i]));
    }
    Style title = {.align = ALIGN_MIDDLE, .angle = 90, .bold = true};
    Point beside = {at.x + metrics->line / 2,
                    at.y + layout->frame.y + layout->frame.height / 2};
    if (metrics->characters) {
        title = (Style){.faint = true};
        beside = at;
    }
    canvas->text(canvas, beside, title, layout->plot->y_title);
}

static void draw_x_axis(const PlotLayout *layout, Canvas *canvas, Point at,
                        Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    double bottom = at.y + layout->frame.y + layout->frame.height;
    double under = bottom + (grid ? 1 : metrics->gap / 2);
    double extent = metrics->line;
    if (layout->plot->words) {
        Point first = place(layout, at, 0, layout->y_least);
        extent = layout->words.extent;
        labels_draw_across(&layout->words, canvas,
                           (Point){first.x, grid ? bottom : under});
    }
    for (int i = 0; i < layout->x_ticks && !layout->plot->words; i++) {
        Point tick = place(layout, at, layout->x_tick[i], 0);
        canvas->text(canvas, (Point){tick.x, under + metrics->line / 2},
                     (Style){.align = ALIGN_MIDDLE},
                     arena_print(arena, "%.*f", layout->x_decimals, layout->x_tick[i]));
    }
    canvas->text(canvas,
                 (Point){at.x + layout->frame.x + layout->frame.width / 2,
                         under + extent + metrics->line / 2},
                 (Style){.align = ALIGN_MIDDLE, .bold = !grid, .faint = grid},
                 layout->plot->x_title);
}

static void draw_frame(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Box *frame = &layout->frame;
    double edge = canvas->metrics.characters ? -1 : 0.5;
    double left = at.x + frame->x + edge;
    double top = at.y + frame->y;
    double bottom = top + frame->height + (canvas->metrics.characters ? 0 : 0.5);
    Stroke stroke = {.color = color_grey, .width = 1};
    Point down[] = {{left, top}, {left, bottom}};
    Point across[] = {{left, bottom}, {left + frame->width + 1, bottom}};
    canvas->line(canvas, down, 2, stroke);
    canvas->line(canvas, across, 2, stroke);
    if (canvas->metrics.characters)
        canvas->text(canvas, (Point){left, bottom}, (Style){.color = &color_grey}, "└");
}

/* What lies below the level parts of a curve. */
static void fill_below(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Series *series = &layout->plot->series[0];
    for (int k = 1; k < series->count; k++) {
        if (series->y[k] != series->y[k - 1] || series->y[k] == 0) continue;
        Point from = place(layout, at, series->x[k - 1], series->y[k]);
        Point to = place(layout, at, series->x[k], 0);
        canvas->fill(canvas, (Box){from.x, from.y, to.x - from.x, to.y - from.y},
                     theme_color(canvas->theme,
                                 palette_mix(color_white, palette_curve(0), 0.4)));
    }
}

/* A number that is not finite breaks the curve in two. */
static void draw_series(const PlotLayout *layout, int i, Canvas *canvas, Point at,
                        Arena *arena) {
    const Series *series = &layout->plot->series[i];
    int points = layout->plot->points;
    if (!points || points > series->count) points = series->count;
    Point *point = ARENA_ARRAY(arena, Point, points);
    int count = 0;
    for (int k = 0; k <= points; k++) {
        if (k < points && isfinite(series->y[k])) {
            point[count++] = place(layout, at, series->x[k], series->y[k]);
            continue;
        }
        Stroke stroke = stroke_of(layout->plot, i);
        if (count == 1) stroke.width = 5;
        if (count > 0) canvas->line(canvas, point, count, stroke);
        count = 0;
    }
}

static void draw_legend(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    const Plot *plot = layout->plot;
    double sample = metrics->characters ? SAMPLE_GRID : SAMPLE;
    int row = 0;
    for (int i = 0; legend_lines(plot) && i < plot->count; i++) {
        if (!is_named(&plot->series[i])) continue;
        double x = at.x + layout->legend.x;
        double y = at.y + layout->legend.y + (row++ + 0.5) * metrics->line;
        Point line[] = {{x, y}, {x + sample - 0.5, y}};
        canvas->line(canvas, line, 2, stroke_of(plot, i));
        canvas->text(canvas, (Point){x + sample + metrics->gap, y}, (Style){0},
                     plot->series[i].name);
    }
}

void plot_draw(const PlotLayout *layout, Canvas *canvas, Point at, Arena *arena) {
    draw_y_axis(layout, canvas, at, arena);
    draw_x_axis(layout, canvas, at, arena);
    if (layout->plot->counted && layout->plot->count == 1)
        fill_below(layout, canvas, at);
    draw_frame(layout, canvas, at);
    for (int i = 0; i < layout->plot->count; i++)
        draw_series(layout, i, canvas, at, arena);
    draw_legend(layout, canvas, at);
}
