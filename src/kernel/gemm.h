/* gemm.h - the product of two matrices, where a Transformer spends most of its time.
 * (GEMM: general matrix multiply, the name in BLAS.) */
#pragma once

#include "base/error.h"
#include "kernel/product.h"

/* Can the library be loaded? Check this before the first product, which cannot report a
 * failure. Fails with a message that says what to install. */
bool multiply_ready(Error *error);

/* Multiply on one thread; multiply on all threads if the product is large. */
void gemm(const Product *product);
void multiply_split(const Product *product);

/* The same with three plain loops: slow; the reference for the tests. */
void multiply_plain(const Product *product);

/* Return where part `part` of `parts` of the range 0 .. size starts, a multiple of 16.
 * It ends where `part` + 1 starts. */
int multiply_start(int size, int part, int parts);
