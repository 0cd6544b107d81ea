/* few_rows.h - a matrix of few rows times a large one, as each token of a decoding and
 * each short sentence needs it. The time goes into reading the large one, so it is read
 * once and as it lies, while BLAS would copy it first. */
#pragma once

#include "kernel/product.h"

/* Is it such a product: few rows of A, and B transposed, as the weights of linear()? */
bool few_rows(const Product *product);

/* The columns of Z from `first` up to `last`. */
void multiply_few(const Product *product, int first, int last);

/* Multiply at most so many numbers at once from now on, 4, 8 or 16, as an older
 * processor does; where this one cannot do as many, fewer anyway. */
void few_rows_limit(int lanes);
