/* blas.h - OpenBLAS, the library that multiplies large matrices.
 *
 * It is loaded at its first use, not with the program: a start does not need it, and it
 * reads from the environment, while it is loaded, which processor to be made for. It
 * knows no processors newer than itself and takes those for very old ones, so what the
 * processor can do decides here, unless the environment does. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/tensor.h"

/* The C interface of BLAS, cblas_sgemm() or cblas_dgemm():
 * Z = alpha A B + beta Z, each matrix with the distance between its rows. */
enum { BLAS_ROW_MAJOR = 101, BLAS_AS_IT_LIES = 111, BLAS_FLIPPED = 112 };
typedef void BlasGemm(int order, int a_lies, int b_lies, int rows, int columns,
                      int inner, Number alpha, const Number *a, int a_step,
                      const Number *b, int b_step, Number beta, Number *z, int z_step);

/* Load it, the first time. Fails, each time, if that is not possible. */
bool blas_load(Error *error);

/* The product, once blas_load() was successful; NULL if it was not. */
BlasGemm *blas_gemm(void);

/* Does it multiply up to BLAS_SMALL pairs of numbers as they lie, where B is not
 * transposed? Else it first copies them together, however few they are. */
enum { BLAS_SMALL = 1000000 };
bool blas_takes_small(void);

/* "OpenBLAS 0.3.21, made for SkylakeX, ..." and who chose that, for people; in `arena`.
 * NULL if it cannot be loaded. */
const char *blas_describe(Arena *arena, Error *error);
