/* term.h - the terms of an explanation, as the operations write them. */
#pragma once

#include "tensor/flow.h"
#include "tensor/tape.h"

/* "0.3120", "-1e+09", "-inf": four decimals where that shows at least as many digits
 * as it hides, else the shortest form of four digits. In `arena`. */
const char *term_number(Arena *arena, double number);

/* The number at a place. */
double term_at(Place place);

/* The number at a place itself, and the product of two: "0.3120 × -0.5200". */
Term term_same(Arena *arena, Place place);
Term term_product(Arena *arena, Place x, Place y);

/* An explanation with room for `count` terms, to be filled in. */
Explanation terms_new(Arena *arena, const Rule *rule, const char *formula, int count);

/* "d_ff 3", or with a label "key 3 (나는)": index `index` of the axis, for the sentence
 * `row` of the batch. */
const char *term_index(Arena *arena, const Axis *axis, int row, int index);

/* For an Op.slopes: number `output` moves by `by`, or by as much as the number at
 * `factor` says. */
void slopes_add(Slopes *slopes, int output, double by);
void slopes_add_factor(Slopes *slopes, int output, Place factor);
