/* cell.h - where did this number come from? Asked of the step that made it. */
#pragma once

#include "explain/record.h"
#include "page/page.h"

/* A cell taken apart. All in the arena it was made in. */
typedef struct {
    const Tensor *tensor;
    int cell;
    const char *address;
    double value;
    bool is_made; /* if not, it was not computed but given, or is a weight */
    Explanation explanation;
    int *order;        /* the terms in the order they are shown */
    int shown;         /* that many of them one by one, the rest together */
    double rest;       /* their sum */
    const char *given; /* of one that was not made: what the number is */
} Why;

/* At most `most` terms are shown alone: the largest of a sum, the rest folded. */
Why cell_explain(const Record *record, const Tensor *tensor, int cell, int most,
                 Arena *arena);

/* The sum of several cells, of which each is a term. */
Why cells_explain(const AxisCells *cells, int most, Arena *arena);

/* Say its terms, with the addresses behind them. */
void cell_say(const Why *why, Page *page);

/* The place behind what the person typed: "3" the first of the numbers in line 3, "3b"
 * the second. NULL if there is no such line or nothing is behind it. */
const Place *cell_follow(const Why *why, const char *typed);

/* Why the cell is what it is, in `arena`; "" where nothing computed it. */
const char *short_why(const Record *record, const Tensor *tensor, int cell,
                      Arena *arena);

/* The formula by which all cells of the tensor are computed, in `arena`; "" where it
 * differs from cell to cell, or nothing computed them. */
const char *short_formula(const Record *record, const Tensor *tensor, Arena *arena);
