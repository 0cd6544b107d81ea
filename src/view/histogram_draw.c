#include <math.h>
#include <string.h>

#include "base/language.h"
#include "text/unicode.h"
#include "view/figure_work.h"
#include "view/histogram.h"

enum { BAR_MOST = 60, BAR_LEAST = 8 }; /* letters */

typedef struct {
    Histogram histogram;
    const char **name; /* of each slice; "": there is one */
    int power;         /* numbers are shown in units of 10 to this power */
} HistogramLayout;

/* "encoder.0, head 3": what tells this slice from the others. */
static const char *slice_name(const Work *work, int s) {
    const Figure *figure = work->figure;
    const Slice *slice = &figure->slice[s];
    const Tensor *tensor = slice->tensor;
    size_t length = figure_has_one_name(figure)
                        ? 0
                        : strlen(tensor->name) - strlen(figure_ending(figure));
    const char *name = figure->called ? figure->called[s]
                                      : arena_copy(work->arena, tensor->name, length);
    int batch = tensor_axis(tensor, "batch");
    for (int a = 0; a < tensor->rank; a++) {
        if (tensor->axis[a].size == 1 || slice->to[a] - slice->from[a] != 1) continue;
        const char *label =
            address_label(&tensor->axis[a], batch < 0 ? 0 : slice->from[batch],
                          slice->from[a], work->arena);
        name = arena_print(work->arena, "%s%s%s %s", name, *name ? ", " : "",
                           tensor->axis[a].name, label);
    }
    return unicode_escape(name, strlen(name), work->arena);
}

/* Numbers like 0.00000012 or 340000000 are shown as 1.2 and 3.4 times a power of 10. */
static int power_for(const Histogram *histogram) {
    double most =
        fmax(fabs(histogram->from), fabs(histogram_edge(histogram, histogram->bins)));
    int power = (int)floor(log10(most));
    return power >= -3 && power <= 4 ? 0 : power;
}

/* "encoder.0.norm_1", and the unit where it is not 1. */
static const char *axis_title(const Work *work, const HistogramLayout *layout) {
    const Figure *figure = work->figure;
    const char *first = figure->slice[0].tensor->name;
    const char *ending = figure_ending(figure);
    const char *name = figure_has_one_name(figure) ? first
                       : *ending                   ? ending + 1
                                                   : said("value");
    if (layout->power == 0) return name;
    return arena_print(work->arena, "%s  (× 1e%d)", name, layout->power);
}

static const char *join(const char *text, const char *more, Arena *arena) {
    return *text ? arena_print(arena, "%s, %s", text, more) : more;
}

/* "3 masked, 2 infinite": what is in no bin; or "". */
static const char *left_out(const Counted *counted, Arena *arena) {
    const char *text = "";
    if (counted->masked)
        text = join(text, say(arena, "%d masked", counted->masked), arena);
    if (counted->infinite)
        text = join(text, say(arena, "%d infinite", counted->infinite), arena);
    if (counted->not_numbers)
        text = join(text, say(arena, "%d not a number", counted->not_numbers), arena);
    return text;
}

static const char *describe(const HistogramLayout *layout, int s, Arena *arena) {
    const Counted *counted = &layout->histogram.slice[s];
    const char *text = "";
    if (counted->numbers)
        text =
            say(arena, "%d numbers, mean %.4g, deviation %.4g, least %.4g, most %.4g",
                counted->numbers, counted->mean, counted->deviation, counted->least,
                counted->most);
    else
        text = said(N_("no numbers"));
    const char *out = left_out(counted, arena);
    if (*out) text = say(arena, "%s; not counted: %s", text, out);
    return *layout->name[s] ? arena_print(arena, "%s: %s", layout->name[s], text)
                            : text;
}

/* What is known of each slice, and of the bins. */
static const char *note(const HistogramLayout *layout, Arena *arena) {
    const Histogram *histogram = &layout->histogram;
    const char *text = "";
    for (int s = 0; s < histogram->slices; s++)
        text = arena_print(arena, "%s%s. ", text, describe(layout, s, arena));
    if (histogram->bins == 1)
        return arena_print(arena, "%s%s", text, said("All are equal."));
    return arena_print(
        arena, "%s%s", text,
        say(arena, "%d bins of %.3g each.", histogram->bins, histogram->width));
}

/* The upper edge of the bars of a slice as a curve. */
static Series steps_of(const HistogramLayout *layout, int s, Arena *arena) {
    const Histogram *histogram = &layout->histogram;
    int points = 2 * histogram->bins + 2;
    double *x = ARENA_ARRAY(arena, double, points);
    double *y = ARENA_ARRAY(arena, double, points);
    double unit = pow(10, layout->power);
    for (int p = 0; p < points; p++) {
        x[p] = histogram_edge(histogram, p / 2) / unit;
        int bin = (p - 1) / 2;
        bool end = p == 0 || p == points - 1;
        y[p] = end ? 0 : histogram->slice[s].count[bin];
    }
    return (Series){.name = layout->name[s], .x = x, .y = y, .count = points};
}

static void draw_picture(Work *work, Point at) {
    plot_draw(&work->layout, work->canvas, at);
}

static void plan_picture(Work *work, const HistogramLayout *layout) {
    const Histogram *histogram = &layout->histogram;
    Series *series = ARENA_ARRAY(work->arena, Series, histogram->slices);
    for (int s = 0; s < histogram->slices; s++)
        series[s] = steps_of(layout, s, work->arena);
    work->plot = (Plot){.x_title = axis_title(work, layout),
                        .y_title = said("how many"),
                        .series = series,
                        .count = histogram->slices,
                        .counted = true};
    work->layout = plot_plan(&work->plot, work->canvas);
    work->width = work->layout.width;
    work->height = work->layout.height;
    work->draw = draw_picture;
}

/* Places behind the point that tell the edges of two bins apart. */
static int decimals_for(const HistogramLayout *layout) {
    double width = layout->histogram.width / pow(10, layout->power);
    return (int)fmin(fmax(1 - floor(log10(width)), 0), 6);
}

static const char *bar(int count, int most, int room, Arena *arena) {
    int letters = (int)round((double)count / most * room);
    const char *text = count && !letters ? "▏" : "";
    for (int i = 0; i < letters; i++) text = arena_print(arena, "%s█", text);
    return text;
}

static int most_of(const Counted *counted, int bins) {
    int most = 1;
    for (int b = 0; b < bins; b++)
        if (counted->count[b] > most) most = counted->count[b];
    return most;
}

/* A line for each bin, "-0.25 │███ 12", under the name of the slice. */
static void draw_slice(const Work *work, const HistogramLayout *layout, int s,
                       Point at) {
    const Histogram *histogram = &layout->histogram;
    Canvas *canvas = work->canvas;
    Arena *arena = work->arena;
    if (*layout->name[s]) {
        canvas->text(canvas, at, (Style){.bold = true}, layout->name[s]);
        at.y++;
    }
    double unit = pow(10, layout->power);
    int decimals = decimals_for(layout);
    double wide = 0;
    for (int b = 0; b <= histogram->bins; b++)
        wide = fmax(wide,
                    (double)strlen(arena_print(arena, "%.*f", decimals,
                                               histogram_edge(histogram, b) / unit)));
    int most = most_of(&histogram->slice[s], histogram->bins);
    double left = 2 * wide + 4;
    double room = canvas->metrics.most - left - 2 -
                  (double)strlen(arena_print(arena, "%d", most));
    room = fmin(fmax(room, BAR_LEAST), BAR_MOST);
    for (int b = 0; b < histogram->bins; b++, at.y++) {
        int count = histogram->slice[s].count[b];
        canvas->text(canvas, at, (Style){0},
                     arena_print(arena, "%*.*f … %*.*f", (int)wide, decimals,
                                 histogram_edge(histogram, b) / unit, (int)wide,
                                 decimals, histogram_edge(histogram, b + 1) / unit));
        const char *drawn = bar(count, most, (int)room, arena);
        canvas->text(canvas, (Point){at.x + left, at.y}, (Style){0},
                     arena_print(arena, "│%s %d", drawn, count));
    }
}

static int lines_of(const HistogramLayout *layout, int s) {
    return layout->histogram.bins + (*layout->name[s] ? 1 : 0);
}

static void draw_text(Work *work, Point at) {
    const HistogramLayout *layout = work->own;
    work->canvas->text(work->canvas, at, (Style){.faint = true},
                       axis_title(work, layout));
    at.y++;
    for (int s = 0; s < layout->histogram.slices; s++) {
        draw_slice(work, layout, s, at);
        at.y += lines_of(layout, s) + 1;
    }
}

static void plan_text(Work *work, const HistogramLayout *layout) {
    work->width = work->canvas->metrics.most;
    for (int s = 0; s < layout->histogram.slices; s++)
        work->height += lines_of(layout, s) + 1;
    work->draw = draw_text;
}

bool plan_histogram(Work *work, Error *error) {
    const Figure *figure = work->figure;
    HistogramLayout *layout = ARENA_ARRAY(work->arena, HistogramLayout, 1);
    work->own = layout;
    if (figure->plot) return fail(error, "these are curves: draw them --as curves");
    if (figure->slices > CURVES_MOST)
        return fail(error, "%d histograms were asked for; at most %d can be told apart",
                    figure->slices, CURVES_MOST);
    layout->histogram =
        histogram_of(figure->slice, figure->hidden, figure->slices, work->arena);
    if (layout->histogram.bins == 0)
        return fail(error, "%s holds no finite number that could be counted",
                    figure->slice[0].tensor->name);
    layout->name = ARENA_ARRAY(work->arena, const char *, figure->slices);
    for (int s = 0; s < figure->slices; s++)
        layout->name[s] = figure->slices > 1 ? slice_name(work, s) : "";
    layout->power = power_for(&layout->histogram);
    work->note = note(layout, work->arena);
    work->told =
        say(work->arena, "A histogram of %s. %s", axis_title(work, layout), work->note);
    if (work->canvas->metrics.characters)
        plan_text(work, layout);
    else
        plan_picture(work, layout);
    return true;
}
