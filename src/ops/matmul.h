/* matmul.h - the product of two matrices, the one thing that BLAS is used for. */
#pragma once

#include "tensor/tensor.h"

/* Z [rows, columns] = keep Z + A B, with A [rows, inner] and B [inner, columns]; one
 * that is flipped lies in memory the other way round. */
typedef struct {
    const Number *a, *b;
    Number *z;
    bool a_flipped, b_flipped;
    int rows, columns, inner;
    Number keep; /* 0: what Z holds may be no number at all */
} Product;

/* On one thread, and split over all threads if it is large. */
void multiply(const Product *product);
void multiply_split(const Product *product);

/* The piece of 0 .. size that is `part` of `parts`, in steps of 16: its start. That of
 * `part` + 1 is its end. */
int multiply_start(int size, int part, int parts);

/* Is it worth waking a second thread for so many multiplications? */
bool multiply_is_large(int rows, int columns, int inner);
