/* kernels.h - the loops over numbers that must be fast, apart from matrix products.
 *
 * Plain C that a compiler turns into vector instructions; kernels.c is built with the
 * options for it. They know arrays and sizes, not tensors. `x` and `dy` are read, the
 * first argument is written and must not overlap them. Where a gradient is written,
 * `keep` says what becomes of the numbers there: 0 they are replaced, 1 added to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tensor/tensor.h"

typedef struct {
    int rows, size; /* how many rows, and how many numbers in each */
} Rows;

/* y = x + z; y = factor x; y = max(0, x); y = x Φ(x); y = keep y + x z. */
void kernel_add(Number *y, const Number *x, const Number *z, int size);
void kernel_scale(Number *y, const Number *x, Number factor, int size);
void kernel_relu(Number *y, const Number *x, int size);
void kernel_gelu(Number *y, const Number *x, int size);
void kernel_multiply_add(Number *y, const Number *x, const Number *z, Number keep,
                         int size);

/* In place: y = σ(y) = 1 / (1 + exp(-y)); y = tanh(y). */
void kernel_sigmoid(Number *y, int size);
void kernel_tanh(Number *y, int size);

/* grad = keep grad + dy times the slope, which follows from y = σ(x) or tanh(x). */
void kernel_sigmoid_grad(Number *grad, const Number *y, const Number *dy, Number keep,
                         int size);
void kernel_tanh_grad(Number *grad, const Number *y, const Number *dy, Number keep,
                      int size);

/* grad = keep grad + factor dy, and + dy times the slope of the function at x. */
void kernel_scale_grad(Number *grad, const Number *dy, Number factor, Number keep,
                       int size);
void kernel_relu_grad(Number *grad, const Number *x, const Number *dy, Number keep,
                      int size);
void kernel_gelu_grad(Number *grad, const Number *x, const Number *dy, Number keep,
                      int size);

/* Rows of y, `y_step` numbers apart, = keep y + rows of x, `x_step` apart. */
void kernel_move_rows(Number *y, int y_step, const Number *x, int x_step, Number keep,
                      Rows rows);

/* grad [size] = keep grad + the sum of all rows of dy. */
void kernel_column_sums(Number *grad, const Number *dy, Number keep, Rows rows);

/* Each row of y = softmax of the row of x. A row of -inf alone gives zeros; infinities
 * share all the weight, as in the limit; a NaN makes its row NaN. */
void kernel_softmax(Number *y, const Number *x, Rows rows);
void kernel_softmax_grad(Number *grad, const Number *y, const Number *dy, Number keep,
                         Rows rows);

/* The largest number; the sum; the sum of exp(x - most). -inf and 0 for size 0. */
Number kernel_largest(const Number *x, int size);
double kernel_sum(const Number *x, int size);
double kernel_exp_sum(const Number *x, Number most, int size);

/* grad = keep grad + factor exp(x - most) - less. */
typedef struct {
    Number most, factor, less;
} Exponential;
void kernel_exp_grad(Number *grad, const Number *x, Exponential exponential,
                     Number keep, int size);

/* Layer norm. `kept` [rows, 2] takes the mean and 1 / deviation of each row. */
typedef struct {
    const Number *x, *gain, *bias;
    Number *kept;
    double epsilon;
    Rows rows;
} RowNorm;
void kernel_norm(Number *y, const RowNorm *norm);
void kernel_norm_grad(Number *grad, const RowNorm *norm, const Number *dy, Number keep);

/* The gradient of gain. (That of bias: kernel_column_sums.) */
void kernel_gain_grad(Number *grad, const RowNorm *norm, const Number *dy, Number keep);

/* One query's row of a mask: key k is hidden if k is `self`, or from `later` on, or
 * where padding[k] is not 0. */
typedef struct {
    const Number *padding;
    int later, self, size;
    Number value;
    bool adds; /* the value is added to the score, instead of put in its place */
} MaskRow;
void kernel_mask(Number *y, const Number *x, const MaskRow *row);
void kernel_mask_grad(Number *grad, const Number *dy, const MaskRow *row, Number keep);

/* y = keep y + (0 where kernel_drops(), else factor x). */
typedef struct {
    uint32_t key[2]; /* which numbers drop follows from these */
    uint32_t below;  /* the rate, in steps of 2^-32 */
    Number factor;
} Dropping;
void kernel_dropout(Number *y, const Number *x, const Dropping *dropping, Number keep,
                    int size);
bool kernel_drops(const Dropping *dropping, int cell);

/* y [rows, columns] = x [rows, inner] weight^T + bias for the columns from `first` up
 * to `last`, weight [columns, inner], bias NULL or [columns]. Reads the weights once:
 * made for the few rows of a decoding, where that is all the time it takes. */
typedef struct {
    const Number *x, *weight, *bias;
    Number *y;
    int rows, inner, columns;
} Dots;
void kernel_dots(const Dots *dots, int first, int last);

/* One step of Adam: m = beta_1 m + (1 - beta_1) g and v = beta_2 v + (1 - beta_2) g^2,
 * g being the gradient times `factor`; then value -= rate m / (root_factor sqrt(v) +
 * epsilon). Kingma and Ba 2015, the bias corrections being in rate and root_factor.
 * Returns the sum of the squares of `gradient`. */
typedef struct {
    Number *value, *mean, *square; /* mean: m, square: v */
    Number factor, beta_1, beta_2, rate, root_factor, epsilon;
} Adapting;
double kernel_adam(const Adapting *adapting, const Number *gradient, int size);

/* The sum of x^2: finite only if all numbers are (and not huge). */
double kernel_square_sum(const Number *x, int size);
