#include "ops/few_rows.h"

#include <string.h>

#include "ops/vector.h"

bool few_rows(const Product *p) {
    enum { FEW = 16 };
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

INLINE Number sum_lanes(const Lanes *lanes) {
    const HalfLanes *half = (const HalfLanes *)lanes;
    HalfLanes two = half[0] + half[1];
    const QuarterLanes *quarter = (const QuarterLanes *)&two;
    QuarterLanes one = quarter[0] + quarter[1];
    Number sum = 0;
    for (int i = 0; i < QUARTER; i++) sum += one[i];
    return sum;
}

/* Three rows of A with four of B: twelve sums and what they are made of just fit the
 * registers, and each number read is used three or four times. Written out, as the sums
 * of a loop would stay in memory. */
#define ADD_PRODUCTS(i)                                                                \
    do {                                                                               \
        Lanes bi = *(const Lanes *)(b[i] + k);                                         \
        sum[i] += a0 * bi;                                                             \
        sum[4 + (i)] += a1 * bi;                                                       \
        sum[8 + (i)] += a2 * bi;                                                       \
    } while (0)

INLINE void dot_3_by_4(const Number *const *a, const Number *const *b, int size,
                       Number *sums) {
    Lanes sum[12];
    memset(sum, 0, sizeof sum);
    int k = 0;
    for (; k + LANES <= size; k += LANES) {
        Lanes a0 = *(const Lanes *)(a[0] + k);
        Lanes a1 = *(const Lanes *)(a[1] + k);
        Lanes a2 = *(const Lanes *)(a[2] + k);
        ADD_PRODUCTS(0);
        ADD_PRODUCTS(1);
        ADD_PRODUCTS(2);
        ADD_PRODUCTS(3);
    }
    for (int i = 0; i < 12; i++) sums[i] = sum_lanes(&sum[i]);
    for (; k < size; k++)
        for (int i = 0; i < 12; i++) sums[i] += a[i / 4][k] * b[i % 4][k];
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
    for (int r = 0; r < rows; r++, sums += 4) {
        Number *z = p->z + (row + r) * p->columns;
        int column = columns.first;
        for (int i = 0; i < 4 && column < columns.last; i++, column += columns.step)
            z[column] = kept(p->keep, z[column]) + sums[i];
    }
}

/* The four rows of B lie a quarter of them apart: four long streams come from memory
 * twice as fast as many short ones. Where a row is missing, another takes its place and
 * the sum is not used. */
CLONES void multiply_few(const Product *p, int first, int last) {
    int quarter = (last - first + 3) / 4;
    for (int column = first; column < first + quarter; column++) {
        const Number *b[4];
        for (int i = 0; i < 4; i++)
            b[i] = p->b + least(column + i * quarter, last - 1) * p->inner;
        for (int row = 0; row < p->rows; row += 3) {
            int rows = least(3, p->rows - row);
            Number sums[12];
            const Number *a[3];
            for (int i = 0; i < 3; i++)
                a[i] = p->a + (row + least(i, rows - 1)) * p->inner;
            if (rows == 1)
                dot_1_by_4(a[0], b, p->inner, sums);
            else
                dot_3_by_4(a, b, p->inner, sums);
            put_sums(p, sums, row, rows, (Columns){column, quarter, last});
        }
    }
}
