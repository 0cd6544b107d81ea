#include "view/histogram.h"

#include <math.h>
#include <stdlib.h>

/* The finite numbers of all slices. */
typedef struct {
    double *number;
    int count, capacity;
} Pool;

/* The next cell of the slice behind `cell`, or -1; -1: the first. */
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

/* What is not counted in bins is counted apart; the rest goes into the pool. */
static Counted sort_out(const Slice *slice, const unsigned char *hidden, Pool *pool,
                        Arena *arena) {
    Counted counted = {.least = INFINITY, .most = -INFINITY};
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
        counted.least = fmin(counted.least, number);
        counted.most = fmax(counted.most, number);
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

/* Between the neighbours in the order of size. */
static double quantile(const Pool *sorted, double part) {
    double place = part * (sorted->count - 1);
    int below = (int)place;
    int above = below + (below + 1 < sorted->count);
    return sorted->number[below] +
           (place - below) * (sorted->number[above] - sorted->number[below]);
}

/* Freedman and Diaconis; where half of the numbers are equal, Sturges 1926. */
static int count_bins(const Pool *sorted, double range) {
    double wide = 2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) /
                  cbrt((double)sorted->count);
    double bins = wide > 0 ? ceil(range / wide) : ceil(log2(sorted->count)) + 1;
    return (int)fmin(fmax(bins, HISTOGRAM_LEAST), HISTOGRAM_MOST);
}

/* Bins from the least to the most number; from 0 where that is nearly the least. */
static void choose_bins(Histogram *histogram, const Pool *sorted, bool ids) {
    double least = sorted->number[0];
    double most = sorted->number[sorted->count - 1];
    if (least > 0 && least < most / HISTOGRAM_MOST) least = 0;
    double range = most - least;
    *histogram = (Histogram){
        .from = least, .slice = histogram->slice, .slices = histogram->slices};
    if (ids && range < HISTOGRAM_MOST) {
        histogram->from = least - 0.5;
        histogram->bins = (int)range + 1;
        histogram->width = 1;
    } else if (!(range > 0)) {
        double half = least == 0 ? 0.5 : fabs(least) / 2;
        histogram->from = least - half;
        histogram->bins = 1;
        histogram->width = 2 * half;
    } else {
        histogram->bins = count_bins(sorted, range);
        histogram->width = range / histogram->bins;
    }
}

static int bin_of(const Histogram *histogram, double number) {
    double bin = floor((number - histogram->from) / histogram->width);
    return (int)fmin(fmax(bin, 0), histogram->bins - 1);
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
    choose_bins(&histogram, &sorted, slice[0].tensor->holds_ids);
    for (int s = 0, i = 0; s < slices; s++) {
        Counted *counted = &histogram.slice[s];
        counted->count = ARENA_ARRAY(arena, int, histogram.bins);
        for (int end = i + counted->numbers; i < end; i++)
            counted->count[bin_of(&histogram, pool.number[i])]++;
    }
    return histogram;
}
