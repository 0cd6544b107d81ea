#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "figure/figure_draw.h"
#include "text/unicode.h"

enum { BAR_MAX = 60, BAR_MIN = 8 }; /* letters */

/* The finite numbers of all slices. */
typedef struct {
    double *number;
    int count, capacity;
} Pool;

/* Return the cell of the slice after `cell` (-1: the first), or -1. */
static int next_cell(const Slice *slice, int cell) {
    const Tensor *tensor = slice->tensor;
    int size = tensor_size(tensor);
    for (cell++; cell < size; cell++) {
        bool inside = true;
        for (int a = 0; a < tensor->rank && inside; a++) {
            int index = tensor_index(tensor, a, cell);
            inside = index >= slice->from[a] && index < slice->to[a];
        }
        if (inside) return cell;
    }
    return -1;
}

/* Count numbers that do not belong in bins; add the others to the pool. */
static Counted sort_out(const Slice *slice, const unsigned char *hidden, Pool *pool,
                        Arena *arena) {
    Counted counted = {.min = INFINITY, .max = -INFINITY};
    double sum = 0;
    int first = pool->count;
    for (int c = next_cell(slice, -1); c >= 0; c = next_cell(slice, c)) {
        double number = slice->tensor->data[c];
        counted.masked += hidden && hidden[c];
        if (hidden && hidden[c]) continue;
        counted.not_numbers += isnan(number) != 0;
        counted.infinite += isinf(number) != 0;
        if (!isfinite(number)) continue;
        ARENA_GROW(arena, pool->number, pool->count, pool->capacity);
        pool->number[pool->count++] = number;
        counted.min = fmin(counted.min, number);
        counted.max = fmax(counted.max, number);
        sum += number;
    }
    counted.numbers = pool->count - first;
    if (counted.numbers == 0) return counted;
    counted.mean = sum / counted.numbers;
    double square = 0;
    for (int i = first; i < pool->count; i++)
        square += (pool->number[i] - counted.mean) * (pool->number[i] - counted.mean);
    counted.deviation = sqrt(square / counted.numbers);
    return counted;
}

static int compare(const void *a, const void *b) {
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Interpolate between neighbors in sorted order. */
static double quantile(const Pool *sorted, double part) {
    double place = part * (sorted->count - 1);
    int below = (int)place;
    int above = below + (below + 1 < sorted->count);
    return sorted->number[below] +
           (place - below) * (sorted->number[above] - sorted->number[below]);
}

double histogram_edge(const Histogram *histogram, int bin) {
    return histogram->from + bin * histogram->width;
}

Histogram histogram_of(const Slice *slice, const unsigned char *const *hidden,
                       int slices, Arena *arena) {
    Histogram histogram = {.slice = ARENA_ARRAY(arena, Counted, slices),
                           .slices = slices};
    Pool pool = {0};
    for (int s = 0; s < slices; s++)
        histogram.slice[s] =
            sort_out(&slice[s], hidden ? hidden[s] : NULL, &pool, arena);
    if (pool.count == 0) return histogram;
    Pool sorted = {.number = ARENA_ARRAY(arena, double, pool.count),
                   .count = pool.count};
    for (int i = 0; i < pool.count; i++) sorted.number[i] = pool.number[i];
    qsort(sorted.number, (size_t)sorted.count, sizeof *sorted.number, compare);
    /* Bins from the smallest to the largest number; or from 0 if the smallest is close
     * to it. */
    bool ids = slice[0].tensor->holds_ids;
    double min = sorted.number[0];
    double max = sorted.number[sorted.count - 1];
    if (min > 0 && min < max / HISTOGRAM_MAX) min = 0;
    double range = max - min;
    histogram =
        (Histogram){.from = min, .slice = histogram.slice, .slices = histogram.slices};
    if (ids && range < HISTOGRAM_MAX) {
        histogram.from = min - 0.5;
        histogram.bins = (int)range + 1;
        histogram.width = 1;
    } else if (!(range > 0)) {
        double half = min == 0 ? 0.5 : fabs(min) / 2;
        histogram.from = min - half;
        histogram.bins = 1;
        histogram.width = 2 * half;
    } else {
        /* Freedman and Diaconis; if half of the numbers are equal, Sturges 1926. */
        double wide = 2 * (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) /
                      cbrt((double)sorted.count);
        double bins = wide > 0 ? ceil(range / wide) : ceil(log2(sorted.count)) + 1;
        histogram.bins = (int)fmin(fmax(bins, HISTOGRAM_MIN), HISTOGRAM_MAX);
        histogram.width = range / histogram.bins;
    }
    for (int s = 0, i = 0; s < slices; s++) {
        Counted *counted = &histogram.slice[s];
        counted->count = ARENA_ARRAY(arena, int, histogram.bins);
        for (int end = i + counted->numbers; i < end; i++) {
            double bin = floor((pool.number[i] - histogram.from) / histogram.width);
            counted->count[(int)fmin(fmax(bin, 0), histogram.bins - 1)]++;
        }
    }
    return histogram;
}

typedef struct {
    Histogram histogram;
    const char **name; /* for each slice; "": there is only one */
    int power;         /* numbers are shown in units of 10 to this power */
} HistogramLayout;

/* Return the name of a slice among the others: "encoder.0, head 3". */
static const char *slice_name(const Work *work, int s) {
    const Figure *figure = work->figure;
    const Slice *slice = &figure->slice[s];
    const Tensor *tensor = slice->tensor;
    const char *name = figure_called(work, s);
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

/* Return "encoder.0.norm_1", and the unit if it is not 1. */
static const char *axis_title(const Work *work, const HistogramLayout *layout) {
    const char *name = figure_subject(work->figure);
    if (!*name) name = tr("value");
    if (layout->power == 0) return name;
    return arena_print(work->arena, "%s  (× 1e%d)", name, layout->power);
}

/* "40 numbers, mean 0.1, ...; not counted: 3 masked, 2 infinite". */
static const char *describe(const HistogramLayout *layout, int s, Arena *arena) {
    const Counted *counted = &layout->histogram.slice[s];
    const char *const left_out[] = {
        counted->masked ? trf(arena, "%d masked", counted->masked) : "",
        counted->infinite ? trf(arena, "%d infinite", counted->infinite) : "",
        counted->not_numbers ? trf(arena, "%d not a number", counted->not_numbers)
                             : ""};
    const char *text =
        counted->numbers
            ? trf(arena,
                  "%d numbers, mean %.4g, standard deviation %.4g, min %.4g, "
                  "max %.4g",
                  counted->numbers, counted->mean, counted->deviation, counted->min,
                  counted->max)
            : tr(N_("no numbers"));
    const char *out = "";
    for (int i = 0; i < 3; i++)
        if (*left_out[i])
            out = *out ? arena_print(arena, "%s, %s", out, left_out[i]) : left_out[i];
    if (*out) text = trf(arena, "%s; not counted: %s", text, out);
    return *layout->name[s] ? arena_print(arena, "%s: %s", layout->name[s], text)
                            : text;
}

/* Return the statistics of each slice and the width of the bins. */
static const char *note(const HistogramLayout *layout, Arena *arena) {
    const Histogram *histogram = &layout->histogram;
    const char *text = "";
    for (int s = 0; s < histogram->slices; s++)
        text = arena_print(arena, "%s%s. ", text, describe(layout, s, arena));
    if (histogram->bins == 1)
        return arena_print(arena, "%s%s", text, tr("All are equal."));
    return arena_print(
        arena, "%s%s", text,
        trf(arena, "%d bins of %.3g each.", histogram->bins, histogram->width));
}

/* Return the upper edge of the bars of a slice as a curve. */
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

/* Draw a line for each bin, "-0.25 │███ 12", under the name of the slice. */
static void draw_text(Work *work, Point at) {
    const HistogramLayout *layout = work->own;
    const Histogram *histogram = &layout->histogram;
    Canvas *canvas = work->canvas;
    Arena *arena = work->arena;
    double unit = pow(10, layout->power);
    /* Decimals needed to distinguish the edges of neighboring bins. */
    int decimals = (int)fmin(fmax(1 - floor(log10(histogram->width / unit)), 0), 6);
    double wide = 0;
    for (int b = 0; b <= histogram->bins; b++)
        wide = fmax(wide,
                    (double)strlen(arena_print(arena, "%.*f", decimals,
                                               histogram_edge(histogram, b) / unit)));
    double left = 2 * wide + 4;
    canvas->text(canvas, at, (Style){.faint = true}, axis_title(work, layout));
    at.y++;
    for (int s = 0; s < histogram->slices; s++, at.y++) {
        const int *count = histogram->slice[s].count;
        if (*layout->name[s]) {
            canvas->text(canvas, at, (Style){.bold = true}, layout->name[s]);
            at.y++;
        }
        int max = 1;
        for (int b = 0; b < histogram->bins; b++)
            if (count[b] > max) max = count[b];
        double room = canvas->metrics.max - left - 2 -
                      (double)strlen(arena_print(arena, "%d", max));
        room = fmin(fmax(room, BAR_MIN), BAR_MAX);
        for (int b = 0; b < histogram->bins; b++, at.y++) {
            canvas->text(canvas, at, (Style){0},
                         arena_print(arena, "%*.*f … %*.*f", (int)wide, decimals,
                                     histogram_edge(histogram, b) / unit, (int)wide,
                                     decimals,
                                     histogram_edge(histogram, b + 1) / unit));
            int letters = (int)round((double)count[b] / max * (int)room);
            const char *bar = count[b] && !letters ? "▏" : "";
            for (int i = 0; i < letters; i++) bar = arena_print(arena, "%s█", bar);
            canvas->text(canvas, (Point){at.x + left, at.y}, (Style){0},
                         arena_print(arena, "│%s %d", bar, count[b]));
        }
    }
}

bool plan_histogram(Work *work, Error *error) {
    const Figure *figure = work->figure;
    HistogramLayout *layout = ARENA_ARRAY(work->arena, HistogramLayout, 1);
    work->own = layout;
    if (figure->slices > CURVES_MAX)
        return fail(error,
                    "%d histograms are too many to tell apart; choose at most "
                    "%d",
                    figure->slices, CURVES_MAX);
    layout->histogram =
        histogram_of(figure->slice, figure->hidden, figure->slices, work->arena);
    if (layout->histogram.bins == 0)
        return fail(error, "%s has no finite number to count",
                    figure->slice[0].tensor->name);
    layout->name = ARENA_ARRAY(work->arena, const char *, figure->slices);
    for (int s = 0; s < figure->slices; s++)
        layout->name[s] = figure->slices > 1 ? slice_name(work, s) : "";
    /* Numbers like 0.00000012 or 340000000 are shown as 1.2 and 3.4 times a power of
     * 10. */
    const Histogram *histogram = &layout->histogram;
    double max =
        fmax(fabs(histogram->from), fabs(histogram_edge(histogram, histogram->bins)));
    int power = (int)floor(log10(max));
    layout->power = power >= -3 && power <= 4 ? 0 : power;
    work->note = note(layout, work->arena);
    work->description =
        trf(work->arena, "A histogram of %s. %s", axis_title(work, layout), work->note);
    if (!work->canvas->metrics.characters) {
        Series *series = ARENA_ARRAY(work->arena, Series, figure->slices);
        for (int s = 0; s < figure->slices; s++)
            series[s] = steps_of(layout, s, work->arena);
        work->plot = (Plot){.x_title = axis_title(work, layout),
                            .y_title = tr("count"),
                            .series = series,
                            .count = figure->slices,
                            .counted = true};
        figure_plan_curves(work);
        return true;
    }
    work->width = work->canvas->metrics.max;
    for (int s = 0; s < figure->slices; s++)
        work->height += histogram->bins + (*layout->name[s] ? 2 : 1);
    work->draw = draw_text;
    return true;
}
