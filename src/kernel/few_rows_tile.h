/* few_rows_tile.h - the products of a tile, included by few_rows.c once for each
 * register width, after it defines TARGET (the processors that have the width), LANES
 * (floats per register) and A_ROWS (rows of A in a tile). All sums of a tile stay in
 * registers, and the lanes of a sum multiply several numbers of a row at once. This
 * requires the short loops to be unrolled. */

#define PASTED(name, lanes) name##lanes
#define PASTE(name, lanes) PASTED(name, lanes)
#define NAMED(name) PASTE(name, LANES)
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef Number NAMED(Lanes) LANES_OF(LANES);

/* Reduce the lanes of a register to four sums. */
INLINE void NAMED(fold)(const NAMED(Lanes) * sum, Four *folded) {
    const Four *four = (const Four *)sum;
    *folded = four[0];
#pragma GCC unroll 4
    for (int i = 1; i < LANES / 4; i++) *folded += four[i];
}

/* sums[j] = sum of the lanes of sum[j]: first by fours, then by pairs. */
INLINE void NAMED(sum_lanes)(const NAMED(Lanes) * sum, Number *sums) {
    Four a, b, c, d;
    NAMED(fold)(&sum[0], &a);
    NAMED(fold)(&sum[1], &b);
    NAMED(fold)(&sum[2], &c);
    NAMED(fold)(&sum[3], &d);
    Four ab = (Four){a[0], a[2], b[0], b[2]} + (Four){a[1], a[3], b[1], b[3]};
    Four cd = (Four){c[0], c[2], d[0], d[2]} + (Four){c[1], c[3], d[1], d[3]};
    *(Four *)sums =
        (Four){ab[0], ab[2], cd[0], cd[2]} + (Four){ab[1], ab[3], cd[1], cd[3]};
}

/* Multiply `rows` rows of A by four rows of B. */
INLINE void NAMED(multiply_rows)(const Tile *t, int rows, Number *sums) {
    NAMED(Lanes) sum[A_ROWS][B_ROWS] = {{{0}}};
    int whole = t->size - t->size % LANES;
    for (int k = 0; k < whole; k += LANES) {
        NAMED(Lanes) b[B_ROWS];
        __builtin_prefetch(t->ahead + k);
#pragma GCC unroll 4
        for (int j = 0; j < B_ROWS; j++) b[j] = *(const NAMED(Lanes) *)(t->b[j] + k);
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
            NAMED(Lanes) a = *(const NAMED(Lanes) *)(t->a[i] + k);
#pragma GCC unroll 4
            for (int j = 0; j < B_ROWS; j++) sum[i][j] += a * b[j];
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) NAMED(sum_lanes)(sum[i], sums + i * B_ROWS);
    for (int k = whole; k < t->size; k++)
        for (int i = 0; i < rows * B_ROWS; i++)
            sums[i] += t->a[i / B_ROWS][k] * t->b[i % B_ROWS][k];
}

TARGET static void NAMED(multiply_tile)(const Tile *tile, Number *sums) {
    NAMED(multiply_rows)(tile, A_ROWS, sums);
}

TARGET static void NAMED(multiply_row)(const Tile *tile, Number *sums) {
    NAMED(multiply_rows)(tile, 1, sums);
}

#undef PASTED
#undef PASTE
#undef NAMED
#undef INLINE
#undef TARGET
#undef LANES
#undef A_ROWS
