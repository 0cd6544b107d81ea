/* product.h - the operands of a product of two matrices. */
#pragma once

#include "tensor/tensor.h"

/* Z [rows, columns] = keep Z + A B, with A [rows, inner] and B [inner, columns]. A
 * transposed matrix is stored with its dimensions swapped. With a bias [columns], Z = A
 * B + bias, added to each row. */
typedef struct {
    const Number *a, *b;
    Number *z;
    bool a_transposed, b_transposed;
    int rows, columns, inner;
    Number keep; /* 0: the old numbers of Z are ignored, even NaN */
    const Number *bias;
} Product;
