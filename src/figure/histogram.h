/* histogram.h - how often the numbers of a tensor lie where: bins of one width, the
 * same for all slices, so that they can be compared.
 *
 * The plan is plan_histogram() of figure_draw.h; histogram_of() alone counts. */
#pragma once

#include "tensor/address.h"

enum { HISTOGRAM_LEAST = 10, HISTOGRAM_MOST = 60 };

/* The numbers of one slice. */
typedef struct {
    int *count;                                 /* of each bin */
    int numbers, masked, infinite, not_numbers; /* only the first are in bins */
    double mean, deviation, least, most;
} Counted;

typedef struct {
    double from, width; /* of the first bin; the last holds its upper end, too */
    int bins;
    Counted *slice;
    int slices;
} Histogram;

/* Count the numbers of all slices, in `arena`. `hidden` is for each slice its masked
 * cells, see Matrix, or NULL; NULL: none is. The width follows Freedman and Diaconis
 * 1981, 2 IQR / n^(1/3), within HISTOGRAM_LEAST and HISTOGRAM_MOST bins; ids have a bin
 * each, if that is not too many. Without a finite number there is no bin. */
Histogram histogram_of(const Slice *slice, const unsigned char *const *hidden,
                       int slices, Arena *arena);

/* Where the bin begins; of number `bins`, where the last one ends. */
double histogram_edge(const Histogram *histogram, int bin);
