#include "chart/plot.h"

#include <math.h>
#include <string.h>

#include "base/language.h"

/* Pixels. */
enum { WIDE = 640, HIGH = 360, SAMPLE = 28, WORD_MAX = 24 };
/* Characters. */
enum { HIGH_GRID = 16, SAMPLE_GRID = 2, LEAST_GRID = 24, MOST_GRID = 100 };
enum { STACK_MAX = 8 };

/* How many columns are drawn if none were chosen. */
enum { CHOSEN_MAX = 6 };

static const char marks[CURVES_MAX][2] = {"o", "x", "+", "*", "a", "b", "c", "d",
                                          "e", "f", "g", "h", "i", "j", "k", "l",
                                          "m", "n", "p", "q", "r", "s", "t", "u"};

static bool is_named(const Series *series) {
    return !series->is_raw && *series->name;
}

/* Return the number of lines in the legend. A single curve with the name of its axis
 * needs none. */
static int legend_lines(const Plot *plot) {
    int curves = 0;
    for (int s = 0; s < plot->count; s++) curves += is_named(&plot->series[s]);
    if (curves != 1) return curves;
    return strcmp(plot->series[plot->count - 1].name, plot->y_title) != 0;
}

/* Give an empty range some width. */
static void widen(double *min, double *max) {
    if (*min > *max) *min = *max = 0;
    if (*min < *max) return;
    *min -= 0.5;
    *max += 0.5;
}

static void find_range(PlotLayout *layout) {
    layout->x_min = layout->y_min = INFINITY;
    layout->x_max = layout->y_max = -INFINITY;
    for (int i = 0; i < layout->plot->count; i++) {
        const Series *series = &layout->plot->series[i];
        for (int k = 0; k < series->count; k++) {
            if (!isfinite(series->y[k])) continue;
            layout->x_min = fmin(layout->x_min, series->x[k]);
            layout->x_max = fmax(layout->x_max, series->x[k]);
            layout->y_min = fmin(layout->y_min, series->y[k]);
            layout->y_max = fmax(layout->y_max, series->y[k]);
        }
    }
    widen(&layout->x_min, &layout->x_max);
    widen(&layout->y_min, &layout->y_max);
}

/* Steps, positions and frequencies are counted: there is no tick at 3.5. */
static int whole_ticks(double min, double max, int about, double *tick, int *decimals) {
    int ticks;
    do ticks = scale_ticks(min, max, about, tick, decimals);
    while (*decimals > 0 && --about > 0);
    return ticks;
}

static const char *tick_text(Canvas *canvas, double tick, int decimals) {
    return arena_print(canvas->arena, "%.*f", decimals, tick);
}

/* Return the width of the widest number along x. */
static double x_labels_width(const PlotLayout *layout, Canvas *canvas) {
    double widest = 0;
    for (int i = 0; i < layout->x_ticks; i++)
        widest = fmax(widest, canvas->measure(canvas, (Style){0},
                                              tick_text(canvas, layout->x_tick[i],
                                                        layout->x_decimals)));
    return widest;
}

/* Place the frame of the curves, with the legend beside it, or below it if that is too
 * narrow. */
static void place_frame(PlotLayout *layout, Canvas *canvas) {
    const Metrics *metrics = &canvas->metrics;
    const Plot *plot = layout->plot;
    bool grid = metrics->characters;
    double widest = 0;
    for (int i = 0; i < layout->y_ticks; i++) {
        const char *text = tick_text(canvas, layout->y_tick[i], layout->y_decimals);
        widest = fmax(widest, canvas->measure(canvas, (Style){0}, text));
    }
    double legend = 0;
    for (int i = 0; i < plot->count && legend_lines(plot) > 0; i++)
        legend =
            fmax(legend, canvas->measure(canvas, (Style){0}, plot->series[i].name));
    if (legend > 0) legend += metrics->gap + (grid ? SAMPLE_GRID : SAMPLE);
    Box *frame = &layout->frame;
    frame->x = ceil(widest) + metrics->gap;
    if (!grid) frame->x += metrics->line + metrics->gap;
    frame->y = grid ? 1 : metrics->gap;
    frame->height = plot->rows ? plot->rows : HIGH_GRID;
    double max = metrics->max > 0 ? fmin(metrics->max, MOST_GRID) : MOST_GRID;
    frame->width = max - frame->x - legend - 2;
    bool narrow = grid && frame->width < LEAST_GRID;
    if (narrow) frame->width = fmax(max - frame->x - 1, 2);
    layout->inset = grid ? 0.5 : 0;
    layout->inset_across = layout->inset;
    if (!grid && plot->words && plot->word_count > 0) {
        /* The first word must not overlap the numbers of the axis, nor the last one the
         * edge. */
        const char *const ends[] = {plot->words[0], plot->words[plot->word_count - 1]};
        layout->inset_across =
            fmin(canvas_widest(canvas, (Style){0}, ends, 2), WIDE / 6.0) / 2 +
            metrics->gap;
    }
    if (!grid) { /* at least as long as the titles; longer for words in large letters */
        const Style bold = {.bold = true};
        double words = (plot->word_count - 1) * 0.8 * metrics->line + 1;
        words = fmin(words + 2 * layout->inset_across, WIDE * canvas_growth(canvas));
        frame->height = fmax(HIGH, ceil(canvas->measure(canvas, bold, plot->y_title)));
        frame->width = fmax(fmax(WIDE, ceil(words)),
                            ceil(canvas->measure(canvas, bold, plot->x_title)));
    }
    layout->legend = (Point){frame->x + frame->width + 2 * metrics->gap, frame->y};
    layout->width = ceil(layout->legend.x + legend);
    if (!grid) { /* the last number may be in the margin */
        double last = x_labels_width(layout, canvas) / 2 + metrics->gap;
        layout->width =
            fmax(layout->width, frame->x + frame->width + ceil(last - metrics->margin));
    }
    if (!narrow) return;
    layout->legend = (Point){0, -1};
    layout->width = max;
}

PlotLayout plot_plan(const Plot *plot, Canvas *canvas) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    PlotLayout layout = {.plot = plot,
                         .legend_lines = legend_lines(plot),
                         .sample = grid ? SAMPLE_GRID : SAMPLE};
    find_range(&layout);
    /* The y axis ends at round numbers, and the curves do not touch its ends. */
    int across = grid ? 5 : 8;
    int down = grid ? 4 : (int)fmax(fmin(6, HIGH / (1.2 * metrics->line)), 1);
    bool counted = layout.plot->counted;
    int (*x_ticks)(double, double, int, double *, int *) =
        counted ? scale_ticks : whole_ticks;
    int (*y_ticks)(double, double, int, double *, int *) =
        counted ? whole_ticks : scale_ticks;
    layout.y_ticks =
        y_ticks(layout.y_min, layout.y_max, down, layout.y_tick, &layout.y_decimals);
    double step = layout.y_ticks > 1 ? layout.y_tick[1] - layout.y_tick[0] : 1;
    layout.y_min = floor(layout.y_min / step + 1e-6) * step;
    layout.y_max = ceil(layout.y_max / step - 1e-6) * step;
    layout.y_ticks =
        y_ticks(layout.y_min, layout.y_max, down, layout.y_tick, &layout.y_decimals);
    do
        layout.x_ticks = x_ticks(layout.x_min, layout.x_max, across, layout.x_tick,
                                 &layout.x_decimals);
    while (!grid && --across > 0 &&
           layout.x_ticks * (x_labels_width(&layout, canvas) + 1.5 * metrics->letter) >
               WIDE);
    place_frame(&layout, canvas);
    double below = metrics->line;
    layout.under = grid ? 1 : metrics->gap / 2;
    /* The lowest number of the other axis is as far down. */
    if (!plot->words) layout.under += below / 2 * (1 - 1 / canvas_growth(canvas));
    if (plot->words) {
        const char **words = labels_shorten(plot->words, plot->word_count,
                                            grid ? STACK_MAX : WORD_MAX, canvas->arena);
        /* Distance between whole numbers along x. */
        double pitch = (layout.frame.width - 2 * layout.inset_across) /
                       (layout.x_max - layout.x_min);
        layout.words =
            labels_across(canvas, words, plot->word_count, pitch, true, true);
        below = layout.words.extent;
    }
    layout.height =
        layout.frame.y + layout.frame.height + layout.under + below + metrics->line;
    double legend = layout.legend_lines * metrics->line;
    if (layout.legend.y < 0) {
        layout.legend.y = layout.height;
        layout.height += legend;
    }
    layout.height = ceil(fmax(layout.height, layout.frame.y + legend));
    return layout;
}

/* The dash patterns and the colors have different periods, so no two curves look alike,
 * and in a gray print the first few still differ. */
static Stroke stroke_of(const Plot *plot, int series) {
    int i = 0;
    for (int s = 0; s < series; s++) i += !plot->series[s].is_raw;
    Stroke stroke = {.color = palette_curve(i),
                     .width = 2,
                     .dash = i % STROKE_DASHES,
                     .mark = marks[i % CURVES_MAX]};
    if (!plot->series[series].is_raw) return stroke;
    return (Stroke){
        .color = palette_mix(color_white, stroke.color, 0.3), .width = 1, .mark = "."};
}

static Point place(const PlotLayout *layout, Point at, double x, double y) {
    double across = (x - layout->x_min) / (layout->x_max - layout->x_min);
    double down = (layout->y_max - y) / (layout->y_max - layout->y_min);
    const Box *frame = &layout->frame;
    double inset = layout->inset;
    double in = layout->inset_across;
    return (Point){at.x + frame->x + in + across * (frame->width - 2 * in),
                   at.y + frame->y + inset + down * (frame->height - 2 * inset)};
}

static void draw_y_axis(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    Stroke light = {.color = {0.9, 0.9, 0.9}, .width = 1};
    double left = at.x + layout->frame.x;
    for (int i = 0; i < layout->y_ticks; i++) {
        double y = place(layout, at, 0, layout->y_tick[i]).y;
        double sharp = metrics->characters ? y : floor(y) + 0.5;
        if (!metrics->characters)
            canvas->line(canvas,
                         (Point[]){{left, sharp}, {left + layout->frame.width, sharp}},
                         2, light);
        canvas->text(canvas, (Point){left - metrics->gap, y},
                     (Style){.align = ALIGN_END},
                     tick_text(canvas, layout->y_tick[i], layout->y_decimals));
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

static void draw_x_axis(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    double bottom = at.y + layout->frame.y + layout->frame.height;
    double under = bottom + layout->under;
    double extent = metrics->line;
    if (layout->plot->words) {
        Point first = place(layout, at, 0, layout->y_min);
        extent = layout->words.extent;
        labels_draw_across(&layout->words, canvas,
                           (Point){first.x, grid ? bottom : under});
    }
    for (int i = 0; i < layout->x_ticks && !layout->plot->words; i++) {
        Point tick = place(layout, at, layout->x_tick[i], 0);
        canvas->text(canvas, (Point){tick.x, under + metrics->line / 2},
                     (Style){.align = ALIGN_MIDDLE},
                     tick_text(canvas, layout->x_tick[i], layout->x_decimals));
    }
    canvas->text(canvas,
                 (Point){at.x + layout->frame.x + layout->frame.width / 2,
                         under + extent + metrics->line / 2},
                 (Style){.align = ALIGN_MIDDLE, .bold = !grid, .faint = grid},
                 layout->plot->x_title);
}

/* A number that is not finite interrupts the curve. */
static void draw_series(const PlotLayout *layout, int i, Canvas *canvas, Point at) {
    const Series *series = &layout->plot->series[i];
    int points = layout->plot->points;
    if (!points || points > series->count) points = series->count;
    Point *point = ARENA_ARRAY(canvas->arena, Point, points);
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

void plot_draw(const PlotLayout *layout, Canvas *canvas, Point at) {
    const Plot *plot = layout->plot;
    draw_y_axis(layout, canvas, at);
    draw_x_axis(layout, canvas, at);
    /* Fill the area below the curve. */
    if (plot->counted && plot->count == 1) {
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
    const Box *frame = &layout->frame;
    double edge = canvas->metrics.characters ? -1 : 0.5;
    double left = at.x + frame->x + edge;
    double top = at.y + frame->y;
    double bottom = top + frame->height + (canvas->metrics.characters ? 0 : 0.5);
    Stroke stroke = {.color = color_grey, .width = 1};
    canvas->line(canvas, (Point[]){{left, top}, {left, bottom}}, 2, stroke);
    canvas->line(canvas, (Point[]){{left, bottom}, {left + frame->width + 1, bottom}},
                 2, stroke);
    if (canvas->metrics.characters)
        canvas->text(canvas, (Point){left, bottom}, (Style){.color = &color_grey}, "└");
    for (int i = 0; i < plot->count; i++) draw_series(layout, i, canvas, at);
    const Metrics *metrics = &canvas->metrics;
    int row = 0;
    for (int i = 0; layout->legend_lines && i < plot->count; i++) {
        if (!is_named(&plot->series[i])) continue;
        double x = at.x + layout->legend.x;
        double y = at.y + layout->legend.y + (row++ + 0.5) * metrics->line;
        canvas->line(canvas, (Point[]){{x, y}, {x + layout->sample - 0.5, y}}, 2,
                     stroke_of(plot, i));
        canvas->text(canvas, (Point){x + layout->sample + metrics->gap, y}, (Style){0},
                     plot->series[i].name);
    }
}

bool plot_columns(const Matrix *matrix, const int *column, int count, Arena *arena,
                  Plot *plot, Error *error) {
    const char *name = matrix->slice.tensor->name;
    int chosen[CHOSEN_MAX];
    if (matrix->row_axis < 0)
        return fail(error, "%s has one axis; curves need two, one for each direction",
                    name);
    if (count == 0) {
        /* Columns 0, 1, 2, 4, 8 ...: in a positional encoding the high-frequency waves
         * come first, and the low-frequency ones differ little. */
        for (int c = 0; c < matrix->columns && count < CHOSEN_MAX; c = c ? 2 * c : 1)
            chosen[count++] = c;
        column = chosen;
    }
    if (count > CURVES_MAX)
        return fail(error, "%d curves are too many to tell apart; choose at most %d",
                    count, CURVES_MAX);
    Series *series = ARENA_ARRAY(arena, Series, count);
    const char *axis = matrix_axis(matrix, true)->name;
    const char **label = matrix_labels(matrix, true, arena);
    for (int i = 0; i < count; i++) {
        int from = matrix->slice.from[matrix->column_axis];
        if (column[i] < 0 || column[i] >= matrix->columns)
            return fail(error, "%s has no %s %d here; there are %d to %d", name, axis,
                        from + column[i], from, from + matrix->columns - 1);
        double *x = ARENA_ARRAY(arena, double, matrix->rows);
        double *y = ARENA_ARRAY(arena, double, matrix->rows);
        for (int row = 0; row < matrix->rows; row++) {
            x[row] = matrix->slice.from[matrix->row_axis] + row;
            y[row] = matrix_value(matrix, row, column[i]);
        }
        const char *called = arena_print(arena, "%s %s", axis, label[column[i]]);
        series[i] = (Series){.name = called, .x = x, .y = y, .count = matrix->rows};
    }
    bool words =
        matrix_axis(matrix, false)->labels && matrix->slice.from[matrix->row_axis] == 0;
    *plot = (Plot){
        .x_title = matrix_axis_title(matrix, false),
        .y_title = tr("value"),
        .series = series,
        .count = count,
        .words = words ? matrix_labels(matrix, false, arena) : NULL,
        .word_count = words ? matrix->rows : 0,
    };
    return true;
}
