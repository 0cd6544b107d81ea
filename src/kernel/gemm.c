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

/* A[i,k] and B[k,j], wherever they lie. */
static Number number_a(const Product *p, int i, int k) {
    return p->a[p->a_transposed ? k * p->rows + i : i * p->inner + k];
}

static Number number_b(const Product *p, int k, int j) {
    return p->b[p->b_transposed ? j * p->inner + k : k * p->columns + j];
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

/* Part of a product: of the rows and columns of Z, as BLAS and not memory counts them,
 * and of the numbers that are summed. */
typedef struct {
    int row, rows, column, columns, k, inner;
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

/* Z's part = keep Z + A B of this part. */
static void call_blas(const Product *p, Piece piece, Number keep) {
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
         b_step, keep, p->z + piece.row * p->columns + piece.column, p->columns);
}

static void multiply_piece(const Product *p, Piece piece) {
    if (piece.rows <= 0 || piece.columns <= 0) return;
    bool first = piece.k == 0;
    bool begun = first && (p->bias || p->inner == 0);
    if (begun) begin_sums(p, piece);
    if (piece.inner == 0) return; /* which BLAS does not take */
    call_blas(p, piece, begun || !first ? 1 : p->keep);
}

/* Does a product gain by pieces so small that BLAS takes them as they lie? Larger ones
 * it first copies together, which pays off where each number is used often, and those
 * of A are used as often as Z has columns. With a transposed A only products of up to
 * MOST pairs gain; a transposed B it copies anyway. */
static bool gains_by_pieces(const Product *p) {
    enum { NARROW = 512, MOST = 4 * BLAS_SMALL };
    if (p->b_transposed || p->inner == 0 || !blas_takes_small()) return false;
    if (!p->a_transposed) return p->columns <= NARROW;
    return (double)p->rows * p->columns * p->inner <= MOST;
}

/* The size of the equal parts, of at most `most`, that `size` is cut into. */
static int part_size(int size, int most) {
    int parts = (size + most - 1) / most;
    return (size + parts - 1) / parts;
}

/* A part of B stays in the caches while the rows of A and Z pass by. Four rows at a
 * time are what the kernels are made for. */
static void multiply_small_pieces(const Product *p) {
    enum { SIDE = 256, STEP = 4 };
    int columns = part_size(p->columns, SIDE);
    int inner = part_size(p->inner, SIDE);
    int most = BLAS_SMALL / (columns * inner) / STEP;
    int rows = STEP * part_size((p->rows + STEP - 1) / STEP, most);
    for (int k = 0; k < p->inner; k += inner)
        for (int column = 0; column < p->columns; column += columns)
            for (int row = 0; row < p->rows; row += rows)
                multiply_piece(p, (Piece){row, least(rows, p->rows - row), column,
                                          least(columns, p->columns - column), k,
                                          least(inner, p->inner - k)});
}

void gemm(const Product *p) {
    if (p->rows <= 0 || p->columns <= 0) return;
    if (gains_by_pieces(p))
        multiply_small_pieces(p);
    else
        multiply_piece(
            p, (Piece){.rows = p->rows, .columns = p->columns, .inner = p->inner});
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
        gemm(p);
}
