/* product.h - what a product of two matrices is made of. */
#pragma once

#include "tensor/tensor.h"

/* Z [rows, columns] = keep Z + A B, with A [rows, inner] and B [inner, columns]; one
 * that is transposed lies in memory the other way round. Where there is a bias
 * [columns], Z = A B + bias, added to each row. */
typedef struct {
    const Number *a, *b;
    Number *z;
    bool a_transposed, b_transposed;
    int rows, columns, inner;
    Number keep; /* 0: what Z holds may be no number at all */
    const Number *bias;
} Product;
