#include "why/by_size.h"

#include <math.h>
#include <stdlib.h>

/* An index and its size. */
typedef struct {
    double size;
    int index;
} Sized;

static int compare(const void *a, const void *b) {
    const Sized *x = a;
    const Sized *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return x->index - y->index;
}

int *by_size(const double *size, int count, Arena *arena) {
    const double steps = 1e5;
    Sized *sized = ARENA_ARRAY(arena, Sized, count);
    int *order = ARENA_ARRAY(arena, int, count);
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(size[i])) largest = fmax(largest, size[i]);
    for (int i = 0; i < count; i++) {
        sized[i] = (Sized){isnan(size[i]) ? INFINITY : size[i], i};
        if (isfinite(size[i]) && largest > 0)
            sized[i].size = round(size[i] / largest * steps);
    }
    qsort(sized, (size_t)count, sizeof *sized, compare);
    for (int i = 0; i < count; i++) order[i] = sized[i].index;
    return order;
}
