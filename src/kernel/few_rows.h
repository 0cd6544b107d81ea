/* few_rows.h - multiply a matrix with few rows by a large one, for decoding steps and
 * short sentences. Most of the time goes into reading the large matrix, so it is read
 * once, in place; BLAS would copy it first. */
#pragma once

#include "kernel/product.h"

/* Is it such a product: few rows of A, and B transposed, like the weights of
 * linear()? */
bool few_rows(const Product *product);

/* Compute the columns of Z from `first` up to, but not including, `last`. */
void multiply_few(const Product *product, int first, int last);

/* Limit the number of lanes to 4, 8 or 16, as on an older processor. The processor may
 * have fewer. */
void few_rows_limit(int lanes);
