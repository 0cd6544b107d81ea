/* cell.h - which numbers did this number come from? The step that computed it explains
 * it. */
#pragma once

#include "explain/record.h"
#include "page/page.h"

/* A cell and its terms. All memory is in the arena of the call. */
typedef struct {
    const Tensor *tensor;
    int cell;
    const char *address;
    double value;
    bool is_made; /* false: an input or a weight, not computed */
    Explanation explanation;
    int *order;        /* the terms in order of display */
    int shown;         /* number of terms listed individually */
    double rest;       /* sum of the other terms */
    const char *given; /* description of a number that was not computed */
} Why;

/* Explain a cell. At most `max` terms are listed: for a sum, the largest, with the
 * rest as one term. */
Why cell_explain(const Record *record, const Tensor *tensor, int cell, int max,
                 Arena *arena);

/* Explain the sum of several cells; each cell is a term. */
Why cells_explain(const AxisCells *cells, int max, Arena *arena);

/* Add the terms to a page, with their addresses. */
void cell_say(const Why *why, Page *page);

/* Return the place that was typed: "3" is the first number in line 3, "3b" is the
 * second. NULL if there is no such line or the number has no place. */
const Place *cell_follow(const Why *why, const char *typed);

/* Return a short explanation of the cell, in `arena`; "" if it was not computed. */
const char *short_why(const Record *record, const Tensor *tensor, int cell,
                      Arena *arena);

/* Return the formula for all cells of the tensor, in `arena`; "" if cells have
 * different formulas or were not computed. */
const char *short_formula(const Record *record, const Tensor *tensor, Arena *arena);
