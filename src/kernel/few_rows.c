#include "kernel/few_rows.h"

#include "kernel/vector.h"

/* A tile is a few rows of A times four rows of B: its sums and inputs just fit into the
 * registers, and each number that is read is used three or four times. PIECE numbers of
 * each row of A and of four rows of B nearly fit into the L1 cache. */
enum { FEW = 32, A_ROWS_MAX = 4, B_ROWS = 4, PIECE = 1024 };

bool few_rows(const Product *p) {
    return p->rows <= FEW && p->b_transposed && !p->a_transposed;
}

/* As many floats as a register holds. Written out, because the compiler adds the lanes
 * of a sum one by one, which takes as long as the products for rows of a few hundred
 * numbers. */
#define LANES_OF(count)                                                                \
    __attribute__((vector_size((count) * sizeof(Number)), aligned(sizeof(Number)),     \
                   may_alias))
typedef Number Four LANES_OF(4);

/* The operands of one call: `size` numbers of each row. `ahead` is prefetched from
 * memory meanwhile. */
typedef struct {
    const Number *a[A_ROWS_MAX], *b[B_ROWS];
    const Number *ahead;
    int size;
} Tile;

/* Write the sums of products with each row of B, one row of A at a time. */
typedef void TileWork(const Tile *tile, Number *sums);

#define TARGET
#define LANES 4
#define A_ROWS 3
#include "kernel/few_rows_tile.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 8
#define A_ROWS 3
#include "kernel/few_rows_tile.h"

/* AVX-512 also has twice as many registers. */
#define TARGET __attribute__((target("avx512f,fma")))
#define LANES 16
#define A_ROWS 4
#include "kernel/few_rows_tile.h"

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f");
}
#endif

static bool always(void) {
    return true;
}

/* How many rows of A a tile has, and the functions for that many rows and for one. */
typedef struct {
    bool (*runs_here)(void);
    int lanes, rows;
    TileWork *all, *one;
} Tiling;

/* The widest first. */
static const Tiling tilings[] = {
#if defined(__x86_64__) && defined(__GNUC__)
    {has_avx512, 16, 4, multiply_tile16, multiply_row16},
    {has_avx2, 8, 3, multiply_tile8, multiply_row8},
#endif
    {always, 4, 3, multiply_tile4, multiply_row4},
};

/* set by few_rows_limit() */
static int lanes_max = 16;

void few_rows_limit(int lanes) {
    lanes_max = lanes;
}

/* `count` columns, starting at `first`, `step` apart. */
typedef struct {
    int first, step, count;
} Columns;

/* Store some rows of Z: four sums per row, added to the previous value, to the bias or
 * to nothing. */
static void put_sums(const Product *p, const Number *sums, int row, int rows,
                     Columns columns, bool is_first) {
    bool by_bias = is_first && p->bias;
    Number keep = is_first ? p->keep : 1;
    for (int r = 0; r < rows; r++, sums += B_ROWS)
        for (int i = 0; i < columns.count; i++) {
            int column = columns.first + i * columns.step;
            Number *z = &p->z[(row + r) * p->columns + column];
            *z = (by_bias ? p->bias[column] : kept(keep, *z)) + sums[i];
        }
}

/* Multiply all rows of A by four rows of B, piece by piece. In memory, the next piece
 * of a row of B, or of the next row, follows this one. */
static void multiply_columns(const Product *p, const Tiling *tiling,
                             const Number *const *b, Columns columns) {
    int start = 0;
    do { /* run at least once: an empty sum is 0 */
        Tile tile = {.size = min(PIECE, p->inner - start)};
        for (int i = 0; i < B_ROWS; i++) tile.b[i] = b[i] + start;
        for (int row = 0, t = 0; row < p->rows; row += tiling->rows, t++) {
            Number sums[A_ROWS_MAX * B_ROWS];
            for (int i = 0; i < tiling->rows; i++)
                tile.a[i] = p->a + min(row + i, p->rows - 1) * p->inner + start;
            tile.ahead = tile.b[t % B_ROWS] + tile.size;
            (p->rows > 1 ? tiling->all : tiling->one)(&tile, sums);
            put_sums(p, sums, row, min(tiling->rows, p->rows - row), columns,
                     start == 0);
        }
        start += PIECE;
    } while (start < p->inner);
}

/* The four rows of B are a quarter of the matrix apart: four long streams are read
 * twice as fast as many short ones. If a row is missing, repeat another one and ignore
 * its sum. */
void multiply_few(const Product *p, int first, int last) {
    const Tiling *tiling = tilings;
    while (tiling->lanes > lanes_max || !tiling->runs_here()) tiling++;
    int quarter = (last - first + 3) / 4;
    for (int column = first; column < first + quarter; column++) {
        const Number *b[B_ROWS];
        for (int i = 0; i < B_ROWS; i++)
            b[i] = p->b + min(column + i * quarter, last - 1) * p->inner;
        int count = min(B_ROWS, (last - 1 - column) / quarter + 1);
        multiply_columns(p, tiling, b, (Columns){column, quarter, count});
    }
}
