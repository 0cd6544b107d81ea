#include "ops/gemm.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"
#include "ops/blas.h"
#include "ops/few_rows.h"

bool multiply_ready(Error *error) {
    return blas_load(error);
}

/* A[i,k] and B[k,j], wherever they lie. */
static Number number_a(const Product *p, int i, int k) {
    return p->a[p->a_flipped ? k * p->rows + i : i * p->inner + k];
}

static Number number_b(const Product *p, int k, int j) {
    return p->b[p->b_flipped ? j * p->inner + k : k * p->columns + j];
}

void multiply_plain(const Product *p) {
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            Number *z = &p->z[i * p->columns + j];
            double sum = p->bias        ? (double)p->bias[j]
                         : p->keep != 0 ? (double)(p->keep * *z)
                                        : 0;
            for (int k = 0; k < p->inner; k++)
                sum += (double)number_a(p, i, k) * (double)number_b(p, k, j);
            *z = (Number)sum;
        }
}

/* Part of Z, as BLAS and not memory counts rows and columns. */
typedef struct {
    int row, rows, column, columns;
} Piece;

/* What the sums of products are added to. Each thread writes it where it reads it. */
static void begin_sums(const Product *p, Piece piece) {
    Number *z = p->z + piece.row * p->columns + piece.column;
    size_t bytes = (size_t)piece.columns * sizeof *z;
    for (int i = 0; i < piece.rows; i++, z += p->columns)
        if (p->bias)
            memcpy(z, p->bias + piece.column, bytes);
        else if (p->keep == 0)
            memset(z, 0, bytes);
}

static void multiply_piece(const Product *p, Piece piece) {
    if (piece.rows <= 0 || piece.columns <= 0) return;
    if (p->bias || p->inner == 0) begin_sums(p, piece);
    if (p->inner == 0) return; /* which BLAS does not take */
    BlasGemm *gemm = blas_gemm();
    assert(gemm); /* see multiply_ready() */
    gemm(BLAS_ROW_MAJOR, p->a_flipped ? BLAS_FLIPPED : BLAS_AS_IT_LIES,
         p->b_flipped ? BLAS_FLIPPED : BLAS_AS_IT_LIES, piece.rows, piece.columns,
         p->inner, 1, p->a + piece.row * (p->a_flipped ? 1 : p->inner),
         p->a_flipped ? p->rows : p->inner,
         p->b + piece.column * (p->b_flipped ? p->inner : 1),
         p->b_flipped ? p->inner : p->columns, p->bias ? 1 : p->keep,
         p->z + piece.row * p->columns + piece.column, p->columns);
}

/* OpenBLAS multiplies less than a million pairs without copying them together first,
 * which saves a tenth of the time where B is not flipped: a few pieces pay off. */
static int pieces(const Product *p) {
    enum { UNCOPIED = 1000000, MOST = 4 };
    double pairs = (double)p->rows * p->columns * p->inner;
    return !p->b_flipped && pairs <= MOST * UNCOPIED ? 1 + (int)(pairs / UNCOPIED) : 1;
}

void multiply(const Product *p) {
    int count = pieces(p);
    for (int i = 0, row = 0, end; i < count; i++, row = end) {
        end = (int)((long long)p->rows * (i + 1) / count);
        multiply_piece(p, (Piece){row, end - row, 0, p->columns});
    }
}

int multiply_start(int size, int part, int parts) {
    enum { STEP = 16 };
    long long start = (long long)size * part / parts;
    return part == parts ? size : (int)(start / STEP * STEP);
}

static void multiply_part(void *context, int part, int parts) {
    const Product *p = context;
    Piece piece = {0, p->rows, 0, p->columns};
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

/* Is it worth waking a second thread for so many multiplications? */
static bool is_large(int rows, const Product *p) {
    enum { LARGE = 300000 };
    return threads_help() && (double)rows * p->columns * p->inner > LARGE;
}

void multiply_split(const Product *p) {
    Product copy = *p;
    bool few = few_rows(p);
    /* One row takes as long as four: the numbers of B come no faster. */
    if (is_large(few && p->rows < 4 ? 4 : p->rows, p))
        threads_run(few ? multiply_few_part : multiply_part, &copy);
    else if (few)
        multiply_few(p, 0, p->columns);
    else
        multiply(p);
}
