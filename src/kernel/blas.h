/* blas.h - OpenBLAS, the library that multiplies large matrices.
 *
 * It is loaded at first use, not at program start, because starting does not need it.
 * While loading, OpenBLAS reads from the environment which processor to use. It
 * mistakes processors newer than itself for very old ones, so unless the environment is
 * set, we select the kernel from the processor's features. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/tensor.h"

/* The C interface of BLAS, cblas_sgemm() or cblas_dgemm(): Z = alpha A B + beta Z, each
 * matrix followed by the distance between its rows. */
enum { BLAS_ROW_MAJOR = 101, BLAS_AS_IT_LIES = 111, BLAS_FLIPPED = 112 };
typedef void BlasGemm(int order, int a_lies, int b_lies, int rows, int columns,
                      int inner, Number alpha, const Number *a, int a_step,
                      const Number *b, int b_step, Number beta, Number *z, int z_step);

/* Load the library on the first call. Fails, on every call, if that is not possible. */
bool blas_load(Error *error);

/* Return the function, if blas_load() was successful; else NULL. */
BlasGemm *blas_gemm(void);

/* Does it multiply up to BLAS_SMALL pairs of numbers without copying them first, if B
 * is not transposed? */
enum { BLAS_SMALL = 1000000 };
bool blas_takes_small(void);

/* Return "OpenBLAS 0.3.21, made for SkylakeX, ..." and what selected that, in `arena`.
 * NULL if it cannot be loaded. */
const char *blas_describe(Arena *arena, Error *error);
