/* Scales that a person asked for, and what the colour bar says of them. */
#include <math.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "view/scale.h"

static const double rounding = 1e-9;

/* Of the cells that have a value. */
typedef struct {
    double least, most;
    double least_above; /* 0; INFINITY where none is */
    bool zeros;
    const char *lowest; /* where the least one stands */
} Extent;

static void add_row(const Matrix *matrix, int row, Extent *extent) {
    for (int column = 0; column < matrix->columns; column++) {
        if (matrix_is_hatched(matrix, row, column)) continue;
        double value = matrix_value(matrix, row, column);
        if (value < extent->least) extent->lowest = matrix->slice.tensor->name;
        extent->least = fmin(extent->least, value);
        extent->most = fmax(extent->most, value);
        extent->zeros = extent->zeros || value == 0;
        if (value > 0) extent->least_above = fmin(extent->least_above, value);
    }
}

static Extent find_extent(const Matrix *matrix, int count) {
    Extent extent = {
        .least = INFINITY, .most = -INFINITY, .least_above = INFINITY, .lowest = ""};
    for (int i = 0; i < count; i++)
        for (int row = 0; row < matrix[i].rows && !interrupt_signal(); row++)
            add_row(&matrix[i], row, &extent);
    return extent;
}

static bool check_logarithm(const Extent *extent, const ScaleWish *wish, Error *error) {
    if (wish->ranged && wish->least <= 0)
        return fail_usage(error,
                          "with --log the range begins above 0, as in --range 0.001:1, "
                          "and not at %g",
                          wish->least);
    if (extent->least < 0)
        return fail(error,
                    "%s holds %.3g, and what is below 0 has no logarithm: leave --log "
                    "out",
                    extent->lowest, extent->least);
    return isfinite(extent->least_above) ||
           fail(error, "nothing in it is above 0, and only that has a logarithm: leave "
                       "--log out");
}

static void take_logarithm(Scale *scale, const Extent *extent) {
    scale->logarithmic = true;
    scale->zeros = extent->zeros;
    if (scale->kind == SCALE_SIGNED) scale->kind = SCALE_SPAN;
    scale->least = pow(10, floor(log10(extent->least_above) + rounding));
    scale->most =
        scale->kind == SCALE_SHARES ? 1 : pow(10, ceil(log10(extent->most) - rounding));
    if (scale->most <= scale->least) scale->most = 10 * scale->least;
}

static void take_range(Scale *scale, const ScaleWish *wish) {
    scale->least = wish->least;
    scale->most = wish->most;
    if (scale->kind != SCALE_SHARES && !scale->logarithmic)
        scale->kind = wish->least == -wish->most ? SCALE_SIGNED : SCALE_SPAN;
}

/* Without what is no longer so. */
static const char *note_of(const Scale *scale) {
    bool shares = scale->kind == SCALE_SHARES;
    if (scale->logarithmic)
        return said(shares ? N_("share, logarithmic") : N_("value, logarithmic"));
    if (shares) return said("share of 1");
    return scale->kind == SCALE_SPAN ? said("value") : scale->note;
}

bool scale_grant(Scale *scale, const ScaleWish *wish, const Matrix *matrix, int count,
                 const Palette *palette, Error *error) {
    if (!wish->ranged && !wish->logarithmic) return true;
    const Extent extent = find_extent(matrix, count);
    if (wish->logarithmic && !check_logarithm(&extent, wish, error)) return false;
    if (wish->logarithmic) take_logarithm(scale, &extent);
    if (wish->ranged) take_range(scale, wish);
    scale_dress(scale, palette);
    scale->note = note_of(scale);
    /* A number that only rounds to beyond the end is not said to lie there. */
    double room = 1e-6 * (scale->most - scale->least);
    double lowest = scale->logarithmic ? extent.least_above : extent.least;
    scale->lowest = lowest;
    scale->below = lowest < scale->least - room;
    scale->above = extent.most > scale->most + room;
    return true;
}

const char *scale_end(const Scale *scale, bool most, Arena *arena) {
    bool beyond = most ? scale->above : scale->below;
    const char *number = scale_number(scale, most ? scale->most : scale->least, arena);
    return beyond ? arena_print(arena, "%s %s", most ? "≥" : "≤", number) : number;
}

/* Every power of ten, or every second or fifth where there are many. */
static int mark_powers(const Scale *scale, int wanted, double tick[TICKS_MOST]) {
    int from = (int)ceil(log10(scale->least) - rounding);
    int to = (int)floor(log10(scale->most) + rounding);
    int step = 1 + (to - from) / (wanted + 2);
    int count = 0;
    /* From the upper end, which is the one that is looked at. */
    for (int power = to; power >= from && count < TICKS_MOST; power -= step)
        tick[count++] = pow(10, power);
    for (int i = 0; i < count / 2; i++) {
        double kept = tick[i];
        tick[i] = tick[count - 1 - i];
        tick[count - 1 - i] = kept;
    }
    if (count == 0) tick[count++] = scale->least;
    return count;
}

int scale_marks(const Scale *scale, int wanted, double tick[TICKS_MOST],
                int *decimals) {
    *decimals = 2;
    return scale->logarithmic
               ? mark_powers(scale, wanted, tick)
               : scale_ticks(scale->least, scale->most, wanted, tick, decimals);
}

static const char *power_text(int power, Arena *arena) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴",
                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
    const char *text = "";
    int left = power < 0 ? -power : power;
    for (; left > 0; left /= 10)
        text = arena_print(arena, "%s%s", digit[left % 10], text);
    return power == 0   ? "1"
           : power == 1 ? "10"
                        : arena_print(arena, "10%s%s", power < 0 ? "⁻" : "", text);
}

const char *scale_mark_text(const Scale *scale, double value, int decimals,
                            Arena *arena) {
    if (!scale->logarithmic)
        return scale->scientific ? arena_print(arena, "%.1e", value)
                                 : arena_print(arena, "%.*f", decimals, value);
    double power = round(log10(value));
    bool is_power = fabs(log10(value) - power) < rounding;
    return is_power ? power_text((int)power, arena) : scale_number(scale, value, arena);
}
