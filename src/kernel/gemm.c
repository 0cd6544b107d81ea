#include "kernel/gemm.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/few_rows.h"
#include "kernel/vector.h"

bool multiply_ready(Error *error) {
    return blas_load(error);
}

void multiply_plain(const Product *p) {
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            Number *z = &p->z[i * p->columns + j];
            double sum = p->bias        ? (double)p->bias[j]
                         : p->keep != 0 ? (double)(p->keep * *z)
                                        : 0;
            for (int k = 0; k < p->inner; k++) {
                int a = p->a_transposed ? k * p->rows + i : i * p->inner + k;
                int b = p->b_transposed ? j * p->inner + k : k * p->columns + j;
                sum += (double)p->a[a] * (double)p->b[b];
            }
            *z = (Number)sum;
        }
}

/* Part of a product: a range of rows and columns of Z, in BLAS's order, and of the
 * summed index. */
typedef struct {
    int row, rows, column, columns, k, inner;
} Piece;

static void multiply_piece(const Product *p, Piece piece) {
    if (piece.rows <= 0 || piece.columns <= 0) return;
    bool first = piece.k == 0;
    bool begun = first && (p->bias || p->inner == 0);
    /* Initialize the part of Z that products are added to. The thread that adds does
     * this. */
    if (begun) {
        Number *z = p->z + piece.row * p->columns + piece.column;
        size_t bytes = (size_t)piece.columns * sizeof *z;
        for (int i = 0; i < piece.rows; i++, z += p->columns)
            if (p->bias)
                memcpy(z, p->bias + piece.column, bytes);
            else if (p->keep == 0)
                memset(z, 0, bytes);
    }
    if (piece.inner == 0) return; /* BLAS rejects it */
    /* part of Z = keep Z + A B, for this piece. */
    int a_step = p->a_transposed ? p->rows : p->inner;
    int b_step = p->b_transposed ? p->inner : p->columns;
    BlasGemm *blas = blas_gemm();
    assert(blas); /* see multiply_ready() */
    blas(BLAS_ROW_MAJOR, p->a_transposed ? BLAS_FLIPPED : BLAS_AS_IT_LIES,
         p->b_transposed ? BLAS_FLIPPED : BLAS_AS_IT_LIES, piece.rows, piece.columns,
         piece.inner, 1,
         p->a + (p->a_transposed ? piece.k * a_step + piece.row
                                 : piece.row * a_step + piece.k),
         a_step,
         p->b + (p->b_transposed ? piece.column * b_step + piece.k
                                 : piece.k * b_step + piece.column),
         b_step, begun || !first ? 1 : p->keep,
         p->z + piece.row * p->columns + piece.column, p->columns);
}

/* Is the product faster in pieces that are small enough for BLAS to use in place? It
 * copies larger ones first, which pays off if each number is used often; a number of A
 * is used once for each column of Z. With a transposed A, only products of up to
 * PRODUCT_MAX pairs are faster; a transposed B is copied anyway. */
static bool gains_by_pieces(const Product *p) {
    enum { NARROW = 512, PRODUCT_MAX = 4 * BLAS_SMALL };
    if (p->b_transposed || p->inner == 0 || !blas_takes_small()) return false;
    if (!p->a_transposed) return p->columns <= NARROW;
    return (double)p->rows * p->columns * p->inner <= PRODUCT_MAX;
}

/* Return the size of the parts when `size` is cut into equal parts of at most
 * `max`. */
static int part_size(int size, int max) {
    int parts = (size + max - 1) / max;
    return (size + parts - 1) / parts;
}

void gemm(const Product *p) {
    if (p->rows <= 0 || p->columns <= 0) return;
    if (!gains_by_pieces(p)) {
        multiply_piece(
            p, (Piece){.rows = p->rows, .columns = p->columns, .inner = p->inner});
        return;
    }
    /* A piece of B stays in the cache while the rows of A and Z stream by. The kernels
     * are made for four rows at a time. */
    enum { SIDE = 256, STEP = 4 };
    int columns = part_size(p->columns, SIDE);
    int inner = part_size(p->inner, SIDE);
    int max = BLAS_SMALL / (columns * inner) / STEP;
    int rows = STEP * part_size((p->rows + STEP - 1) / STEP, max);
    for (int k = 0; k < p->inner; k += inner)
        for (int column = 0; column < p->columns; column += columns)
            for (int row = 0; row < p->rows; row += rows)
                multiply_piece(p, (Piece){row, min(rows, p->rows - row), column,
                                          min(columns, p->columns - column), k,
                                          min(inner, p->inner - k)});
}

int multiply_start(int size, int part, int parts) {
    enum { STEP = 16 };
    long long start = (long long)size * part / parts;
    return part == parts ? size : (int)(start / STEP * STEP);
}

static void multiply_part(void *context, int part, int parts) {
    const Product *p = context;
    Piece piece = {.rows = p->rows, .columns = p->columns, .inner = p->inner};
    bool by_rows = p->rows >= p->columns;
    int size = by_rows ? p->rows : p->columns;
    int start = multiply_start(size, part, parts);
    int count = multiply_start(size, part + 1, parts) - start;
    if (by_rows) {
        piece.row = start;
        piece.rows = count;
    } else {
        piece.column = start;
        piece.columns = count;
    }
    multiply_piece(p, piece);
}

static void multiply_few_part(void *context, int part, int parts) {
    const Product *p = context;
    multiply_few(p, multiply_start(p->columns, part, parts),
                 multiply_start(p->columns, part + 1, parts));
}

void multiply_split(const Product *p) {
    enum { LARGE = 300000 }; /* multiplications worth waking a second thread */
    Product copy = *p;
    bool few = few_rows(p);
    /* One row takes as long as four, since reading B takes most of the time. */
    int rows = few && p->rows < 4 ? 4 : p->rows;
    bool is_large = threads_help() && (double)rows * p->columns * p->inner > LARGE;
    if (is_large)
        threads_run(few ? multiply_few_part : multiply_part, &copy);
    else if (few)
        multiply_few(p, 0, p->columns);
    else
        gemm(p);
}
