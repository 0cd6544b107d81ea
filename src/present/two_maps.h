/* two_maps.h - the maps of two runs or addresses in one figure: side by side, or as a
 * difference. */
#pragma once

#include "figure/figure.h"

/* Add the maps of `other` to `figure`, under one scale. `called`: a name for its maps
 * and one for the others; NULL: their addresses. */
void maps_beside(Figure *figure, const Figure *other, const char *const called[2],
                 Arena *arena);

/* Subtract the maps of `other` from those of `figure`, aligned by words. Fail as
 * subtraction_slice() does, or if the numbers of maps differ. */
bool maps_subtract(Figure *figure, const Figure *other, const char *const called[2],
                   Arena *arena, Error *error);
