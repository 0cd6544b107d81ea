/* term.h - the terms of an explanation, written by the operations. */
#pragma once

#include "tensor/flow.h"
#include "tensor/tape.h"

/* Return "0.3120", "-1e+09" or "-inf", in `arena`: four decimals if they show at least
 * as many digits as they hide, else up to four significant digits. */
const char *term_number(Arena *arena, double number);

/* Return the number at a place. */
double term_at(Place place);

/* Return a term for one number, and for the product of two: "0.3120 × -0.5200". */
Term term_same(Arena *arena, Place place);
Term term_product(Arena *arena, Place x, Place y);

/* Return an explanation with room for `count` terms, to be filled in. */
Explanation terms_new(Arena *arena, const Rule *rule, const char *formula, int count);

/* Return "d_ff 3", or with a label "key 3 (나는)": index `index` of the axis, for
 * sentence `row` of the batch. */
const char *term_index(Arena *arena, const Axis *axis, int row, int index);

/* For an Op.slopes: the derivative of number `output` is `by`, or the number at
 * `factor`. */
void slopes_add(Slopes *slopes, int output, double by);
void slopes_add_factor(Slopes *slopes, int output, Place factor);
