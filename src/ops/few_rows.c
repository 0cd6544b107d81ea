#include "ops/few_rows.h"

#include <string.h>

#include "ops/vector.h"

/* Tiles of three rows of A and four of B: twelve sums and what they are made of just
 * fit the registers, and each number read is used three or four times. PIECE numbers of
 * each row of A, of four rows of B and of what lies behind those fit the nearest cache.
 */
enum { FEW = 16, A_ROWS = 3, B_ROWS = 4, TILE = A_ROWS * B_ROWS, PIECE = 512 };
enum { TILES = (FEW + A_ROWS - 1) / A_ROWS };

bool few_rows(const Product *p) {
    return p->rows <= FEW && p->b_flipped && !p->a_flipped;
}

/* As many Numbers as the widest register holds; where registers are narrower the
 * compiler takes several. Spelled out, since left to itself it adds the lanes of a sum
 * one by one, which for rows of some hundred numbers takes as long as the products. */
#define LANES_OF(bytes)                                                                \
    __attribute__((vector_size(bytes), aligned(sizeof(Number)), may_alias))
typedef Number Lanes LANES_OF(64);
typedef Number HalfLanes LANES_OF(32);
typedef Number QuarterLanes LANES_OF(16);
enum { LANES = 64 / sizeof(Number), QUARTER = 16 / sizeof(Number) };

#define INLINE static inline __attribute__((always_inline))

/* Row by row of A, the sums that belong to its four products, still in lanes. */
typedef struct {
    Lanes sum[TILE];
} Tile;

INLINE QuarterLanes fold(const Lanes *lanes) {
    const HalfLanes *half = (const HalfLanes *)lanes;
    HalfLanes two = half[0] + half[1];
    const QuarterLanes *quarter = (const QuarterLanes *)&two;
    return quarter[0] + quarter[1];
}

INLINE void sum_lanes(const Tile *tile, Number *sums) {
    Number folded[TILE][QUARTER];
    for (int i = 0; i < TILE; i++) *(QuarterLanes *)folded[i] = fold(&tile->sum[i]);
    for (int i = 0; i < TILE; i++) {
        sums[i] = 0;
        for (int lane = 0; lane < QUARTER; lane++) sums[i] += folded[i][lane];
    }
}

/* Written out, as the sums of a loop would stay in memory. */
#define ADD_PRODUCTS(i)                                                                \
    do {                                                                               \
        Lanes bi = *(const Lanes *)(b[i] + k);                                         \
        sum[i] += a0 * bi;                                                             \
        sum[4 + (i)] += a1 * bi;                                                       \
        sum[8 + (i)] += a2 * bi;                                                       \
    } while (0)

/* Meanwhile `ahead` is asked for, which comes from memory while these are multiplied.
 */
INLINE void add_products(Tile *tile, const Number *const *a, const Number *const *b,
                         const Number *ahead, int size) {
    Lanes sum[TILE];
    memcpy(sum, tile->sum, sizeof sum);
    for (int k = 0; k + LANES <= size; k += LANES) {
        Lanes a0 = *(const Lanes *)(a[0] + k);
        Lanes a1 = *(const Lanes *)(a[1] + k);
        Lanes a2 = *(const Lanes *)(a[2] + k);
        __builtin_prefetch(ahead + k);
        ADD_PRODUCTS(0);
        ADD_PRODUCTS(1);
        ADD_PRODUCTS(2);
        ADD_PRODUCTS(3);
    }
    memcpy(tile->sum, sum, sizeof sum);
}

static inline void dot_1_by_4(const Number *restrict a, const Number *const *b,
                              int size, Number *sums) {
    const Number *restrict b0 = b[0], *restrict b1 = b[1];
    const Number *restrict b2 = b[2], *restrict b3 = b[3];
    Number s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (int k = 0; k < size; k++) {
        s0 += a[k] * b0[k];
        s1 += a[k] * b1[k];
        s2 += a[k] * b2[k];
        s3 += a[k] * b3[k];
    }
    sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

/* Columns from `first` on, `step` apart, as far as they are before `last`. */
typedef struct {
    int first, step, last;
} Columns;

/* Four sums for each of `rows` rows. */
static inline void put_sums(const Product *p, const Number *sums, int row, int rows,
                            Columns columns) {
    for (int r = 0; r < rows; r++, sums += B_ROWS) {
        Number *z = p->z + (row + r) * p->columns;
        int column = columns.first;
        for (int i = 0; i < B_ROWS && column < columns.last;
             i++, column += columns.step)
            z[column] = kept(p->keep, z[column]) + sums[i];
    }
}

INLINE void find_rows(const Product *p, int row, const Number **a) {
    for (int i = 0; i < A_ROWS; i++)
        a[i] = p->a + least(row + i, p->rows - 1) * p->inner;
}

/* All rows of A with four rows of B, a piece of them after the other. The next piece of
 * a row of B, or of the row behind it, is what lies behind this one. */
INLINE void multiply_tiles(const Product *p, const Number *const *b, Columns columns) {
    const Number *a[A_ROWS];
    Tile tile[TILES];
    memset(tile, 0, sizeof tile);
    for (int start = 0; start < p->inner; start += PIECE) {
        int size = least(PIECE, p->inner - start);
        const Number *from[B_ROWS];
        for (int i = 0; i < B_ROWS; i++) from[i] = b[i] + start;
        for (int t = 0; t * A_ROWS < p->rows; t++) {
            find_rows(p, t * A_ROWS, a);
            for (int i = 0; i < A_ROWS; i++) a[i] += start;
            add_products(&tile[t], a, from, from[t % B_ROWS] + size, size);
        }
    }
    for (int t = 0; t * A_ROWS < p->rows; t++) {
        Number sums[TILE];
        sum_lanes(&tile[t], sums);
        find_rows(p, t * A_ROWS, a);
        for (int k = p->inner - p->inner % LANES; k < p->inner; k++)
            for (int i = 0; i < TILE; i++)
                sums[i] += a[i / B_ROWS][k] * b[i % B_ROWS][k];
        put_sums(p, sums, t * A_ROWS, least(A_ROWS, p->rows - t * A_ROWS), columns);
    }
}

/* The four rows of B lie a quarter of them apart: four long streams come from memory
 * twice as fast as many short ones. Where a row is missing, another takes its place and
 * the sum is not used. */
CLONES void multiply_few(const Product *p, int first, int last) {
    int quarter = (last - first + 3) / 4;
    for (int column = first; column < first + quarter; column++) {
        Columns columns = {column, quarter, last};
        const Number *b[B_ROWS];
        for (int i = 0; i < B_ROWS; i++)
            b[i] = p->b + least(column + i * quarter, last - 1) * p->inner;
        if (p->rows > 1) {
            multiply_tiles(p, b, columns);
        } else {
            Number sums[B_ROWS];
            dot_1_by_4(p->a, b, p->inner, sums);
            put_sums(p, sums, 0, p->rows, columns);
        }
    }
}
