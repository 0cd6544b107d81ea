#include <math.h>
#include <string.h>

#include "ops/clones.h"
#include "ops/kernels.h"

CLONES void kernel_move_rows(Number *restrict y, int y_step, const Number *restrict x,
                             int x_step, Number keep, Rows rows) {
    for (int row = 0; row < rows.rows; row++, y += y_step, x += x_step) {
#pragma omp simd
        for (int i = 0; i < rows.size; i++) y[i] = kept(keep, y[i]) + x[i];
    }
}

CLONES void kernel_column_sums(Number *restrict grad, const Number *restrict dy,
                               Number keep, Rows rows) {
    if (keep == 0)
        for (int i = 0; i < rows.size; i++) grad[i] = 0;
    for (int row = 0; row < rows.rows; row++, dy += rows.size) {
#pragma omp simd
        for (int i = 0; i < rows.size; i++) grad[i] += dy[i];
    }
}

/* The variance is taken around the mean: a mean of squares less a squared mean would
 * lose all digits of a row far from 0. */
static inline double variance(const Number *x, Number mean, int size) {
    double total = 0;
    for (int start = 0; start < size; start += SUM_PART) {
        int end = least(start + SUM_PART, size);
        Number part = 0;
#pragma omp simd reduction(+ : part)
        for (int i = start; i < end; i++) part += (x[i] - mean) * (x[i] - mean);
        total += (double)part;
    }
    return total / size;
}

CLONES void kernel_norm(Number *restrict y, const RowNorm *norm) {
    int size = norm->rows.size;
    const Number *restrict x = norm->x;
    const Number *restrict gain = norm->gain;
    const Number *restrict bias = norm->bias;
    for (int row = 0; row < norm->rows.rows; row++, x += size, y += size) {
        Number mean = (Number)(sum_parts(x, size) / size);
        Number steepness = (Number)(1 / sqrt(variance(x, mean, size) + norm->epsilon));
        norm->kept[2 * row] = mean;
        norm->kept[2 * row + 1] = steepness;
#pragma omp simd
        for (int i = 0; i < size; i++)
            y[i] = (x[i] - mean) * steepness * gain[i] + bias[i];
    }
}

/* Moving one x moves its row's mean and deviation too, hence the two averages. */
CLONES void kernel_norm_grad(Number *restrict grad, const RowNorm *norm,
                             const Number *restrict dy, Number keep) {
    int size = norm->rows.size;
    const Number *restrict x = norm->x;
    const Number *restrict gain = norm->gain;
    for (int row = 0; row < norm->rows.rows; row++) {
        Number mean = norm->kept[2 * row];
        Number steepness = norm->kept[2 * row + 1];
        Number average = 0;
        Number average_unit = 0;
#pragma omp simd reduction(+ : average, average_unit)
        for (int i = 0; i < size; i++) {
            Number dunit = dy[i] * gain[i];
            average += dunit;
            average_unit += dunit * ((x[i] - mean) * steepness);
        }
        average /= (Number)size;
        average_unit /= (Number)size;
#pragma omp simd
        for (int i = 0; i < size; i++) {
            Number unit = (x[i] - mean) * steepness;
            grad[i] = kept(keep, grad[i]) +
                      (dy[i] * gain[i] - average - unit * average_unit) * steepness;
        }
        grad += size;
        x += size;
        dy += size;
    }
}

CLONES void kernel_gain_grad(Number *restrict grad, const RowNorm *norm,
                             const Number *restrict dy, Number keep) {
    int size = norm->rows.size;
    const Number *restrict x = norm->x;
    for (int i = 0; i < size; i++) grad[i] = kept(keep, grad[i]);
    for (int row = 0; row < norm->rows.rows; row++, x += size, dy += size) {
        Number mean = norm->kept[2 * row];
        Number steepness = norm->kept[2 * row + 1];
#pragma omp simd
        for (int i = 0; i < size; i++) grad[i] += dy[i] * ((x[i] - mean) * steepness);
    }
}

static inline bool hides(const MaskRow *row, const Number *padding, int k) {
    return (padding[k] != 0) | (k >= row->later) | (k == row->self);
}

CLONES void kernel_mask(Number *restrict y, const Number *restrict x,
                        const MaskRow *row) {
    const MaskRow r = *row;
    const Number *restrict padding = r.padding;
#pragma omp simd
    for (int k = 0; k < r.size; k++) {
        Number lowered = r.adds ? x[k] + r.value : r.value;
        y[k] = hides(&r, padding, k) ? lowered : x[k];
    }
}

CLONES void kernel_mask_grad(Number *restrict grad, const Number *restrict dy,
                             const MaskRow *row, Number keep) {
    const MaskRow r = *row;
    const Number *restrict padding = r.padding;
#pragma omp simd
    for (int k = 0; k < r.size; k++) {
        Number passing = dy[k];
        bool stopped = hides(&r, padding, k) & !r.adds;
        grad[k] = kept(keep, grad[k]) + (stopped ? 0 : passing);
    }
}

/* The last step of MurmurHash3 (Appleby, 2011): near numbers become unrelated. */
static inline uint32_t scramble(uint32_t bits) {
    bits = (bits ^ bits >> 16) * 0x85ebca6bu;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
    return bits ^ bits >> 16;
}

/* A number of its own for each cell, rather than one after the other, can be made for
 * many cells at once and again when the gradient asks for it. */
static inline bool drops(uint32_t first, uint32_t second, uint32_t below, int cell) {
    return scramble(scramble((uint32_t)cell + first) + second) < below;
}

CLONES void kernel_dropout(Number *restrict y, const Number *restrict x,
                           const Dropping *dropping, Number keep, int size) {
    const Dropping d = *dropping;
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number stays = d.factor * x[i];
        y[i] = kept(keep, y[i]) + (drops(d.key[0], d.key[1], d.below, i) ? 0 : stays);
    }
}

bool kernel_drops(const Dropping *dropping, int cell) {
    return drops(dropping->key[0], dropping->key[1], dropping->below, cell);
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

/* Three rows of x with four of the weights: twelve sums and what they are made of just
 * fit the registers, and each number read is used three or four times. Written out, as
 * the sums of a loop would stay in memory. */
#define ADD_PRODUCTS(i)                                                                \
    do {                                                                               \
        Lanes wi = *(const Lanes *)(w[i] + k);                                         \
        sum[i] += x0 * wi;                                                             \
        sum[4 + (i)] += x1 * wi;                                                       \
        sum[8 + (i)] += x2 * wi;                                                       \
    } while (0)

INLINE void dot_3_by_4(const Number *const *x, const Number *const *w, int size,
                       Number *sums) {
    Lanes sum[12];
    memset(sum, 0, sizeof sum);
    int k = 0;
    for (; k + LANES <= size; k += LANES) {
        Lanes x0 = *(const Lanes *)(x[0] + k);
        Lanes x1 = *(const Lanes *)(x[1] + k);
        Lanes x2 = *(const Lanes *)(x[2] + k);
        ADD_PRODUCTS(0);
        ADD_PRODUCTS(1);
        ADD_PRODUCTS(2);
        ADD_PRODUCTS(3);
    }
    for (int i = 0; i < 12; i++) sums[i] = sum_lanes(&sum[i]);
    for (; k < size; k++)
        for (int i = 0; i < 12; i++) sums[i] += x[i / 4][k] * w[i % 4][k];
}

static inline void dot_1_by_4(const Number *restrict x, const Number *const *w,
                              int size, Number *sums) {
    const Number *restrict w0 = w[0], *restrict w1 = w[1];
    const Number *restrict w2 = w[2], *restrict w3 = w[3];
    Number a0 = 0, a1 = 0, a2 = 0, a3 = 0;
#pragma omp simd reduction(+ : a0, a1, a2, a3)
    for (int k = 0; k < size; k++) {
        a0 += x[k] * w0[k];
        a1 += x[k] * w1[k];
        a2 += x[k] * w2[k];
        a3 += x[k] * w3[k];
    }
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
}

/* Columns from `first` on, `step` apart, as far as they are before `last`. */
typedef struct {
    int first, step, last;
} Columns;

/* Four sums for each of `rows` rows. */
static inline void put_sums(const Dots *d, const Number *sums, int row, int rows,
                            Columns columns) {
    for (int r = 0; r < rows; r++, sums += 4) {
        Number *y = d->y + (row + r) * d->columns;
        int column = columns.first;
        for (int i = 0; i < 4 && column < columns.last; i++, column += columns.step)
            y[column] = sums[i] + (d->bias ? d->bias[column] : 0);
    }
}

/* The four rows of the weights lie a quarter of them apart: four long streams come from
 * memory twice as fast as many short ones. Where a row is missing, another takes its
 * place and the sum is not used. */
CLONES void kernel_dots(const Dots *d, int first, int last) {
    int quarter = (last - first + 3) / 4;
    for (int o = first; o < first + quarter; o++) {
        const Number *w[4];
        for (int i = 0; i < 4; i++)
            w[i] = d->weight + least(o + i * quarter, last - 1) * d->inner;
        for (int row = 0; row < d->rows; row += 3) {
            int rows = least(3, d->rows - row);
            Number sums[12];
            const Number *x[3];
            for (int i = 0; i < 3; i++)
                x[i] = d->x + (row + least(i, rows - 1)) * d->inner;
            if (rows == 1)
                dot_1_by_4(x[0], w, d->inner, sums);
            else
                dot_3_by_4(x, w, d->inner, sums);
            put_sums(d, sums, row, rows, (Columns){o, quarter, last});
        }
    }
}
