/* gemm.h - the product of two matrices, where a Transformer spends most of its time.
 * (General matrix multiply, as the libraries for it say.) */
#pragma once

#include "base/error.h"
#include "kernel/product.h"

/* Is there the library that multiplies? To be asked before the first product, whose
 * place is too deep for an answer. Fails with a sentence that says what to install. */
bool multiply_ready(Error *error);

/* On one thread, and split over all threads if it is large. */
void gemm(const Product *product);
void multiply_split(const Product *product);

/* The same as the three loops that it is: slow, for the tests to hold the others to. */
void multiply_plain(const Product *product);

/* The piece of 0 .. size that is `part` of `parts`, in steps of 16: its start. That of
 * `part` + 1 is its end. */
int multiply_start(int size, int part, int parts);
