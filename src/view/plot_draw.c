/* A plot as its layout says. */
#include <math.h>

#include "view/palette.h"
#include "view/plot.h"

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
    int row = 0;
    for (int i = 0; layout->legend_lines && i < plot->count; i++) {
        if (plot->series[i].is_raw || !*plot->series[i].name) continue;
        double x = at.x + layout->legend.x;
        double y = at.y + layout->legend.y + (row++ + 0.5) * metrics->line;
        Point line[] = {{x, y}, {x + layout->sample - 0.5, y}};
        canvas->line(canvas, line, 2, stroke_of(plot, i));
        canvas->text(canvas, (Point){x + layout->sample + metrics->gap, y}, (Style){0},
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
