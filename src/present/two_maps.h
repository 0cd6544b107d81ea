/* two_maps.h - combine the maps of two runs or addresses in one figure: side by side,
 * or as a difference. */
#pragma once

#include "figure/figure.h"

/* The maps to add to a figure, or to subtract. */
typedef struct {
    const Slice *slice;
    const unsigned char *const *hidden, *const *marked; /* see Figure; or NULL */
    int count;
} Maps;

/* Add the maps to `figure`, under one scale. `called`: a name for its maps and one for
 * the others; NULL: their addresses. */
void maps_beside(Figure *figure, const Maps *other, const char *const called[2],
                 Arena *arena);

/* Subtract the maps from those of `figure`, aligned by words. Fail as
 * subtraction_slice() does, or if the numbers of maps differ. */
bool maps_subtract(Figure *figure, const Maps *other, const char *const called[2],
                   Arena *arena, Error *error);
