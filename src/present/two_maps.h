/* two_maps.h - a figure made one of two runs or places: beside each other, or one less
 * the other. */
#pragma once

#include "figure/figure.h"

/* What is beside the slices of a figure, or taken away from them. */
typedef struct {
    const Slice *slice;
    const unsigned char *const *hidden, *const *marked; /* see Figure; or NULL */
    int count;
} Maps;

/* Add the maps to `figure`, under one scale. `called`: what its own are called and the
 * others; NULL: as their addresses say. */
void maps_beside(Figure *figure, const Maps *other, const char *const called[2],
                 Arena *arena);

/* Take the maps away from those of `figure`, aligned by words. Fails as
 * subtraction_slice() does, or where there are not as many. */
bool maps_subtract(Figure *figure, const Maps *other, const char *const called[2],
                   Arena *arena, Error *error);
