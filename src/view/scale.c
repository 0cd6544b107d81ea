#include "view/scale.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/language.h"

/* By ScaleKind. */
static const struct {
    const char *palette, *note;
} kinds[] = {
    [SCALE_SHARES] = {"viridis", N_("share, always 0 to 1")},
    [SCALE_SIGNED] = {"redblue", N_("value, symmetric around 0")},
    [SCALE_SPAN] = {"viridis", N_("value, least to most")},
};

static const double rounding = 1e-9;

/* Whether the rows of the whole tensors are shares of 1. */
static bool all_hold_shares(const Matrix *matrix, int count) {
    const Tensor *checked = NULL;
    for (int m = 0; m < count; m++) {
        const Tensor *tensor = matrix[m].slice.tensor;
        int row = tensor_row(tensor);
        bool some = false;
        if (matrix[m].column_axis != tensor->rank - 1 || tensor->holds_ids)
            return false;
        if (tensor == checked) continue;
        for (int start = 0; start < tensor_size(tensor); start += row) {
            double sum = 0;
            for (int i = start; i < start + row; i++) {
                if (!(tensor->data[i] >= 0 && tensor->data[i] <= 1.001)) return false;
                sum += tensor->data[i];
            }
            if (fabs(sum - 1) > 1e-3 && sum != 0) return false;
            some = some || sum != 0;
        }
        if (!some) return false;
        checked = tensor;
    }
    return count > 0;
}

/* What the cells hold. */
typedef struct {
    double least, most;  /* INFINITY and -INFINITY where none has a value */
    double least_above;  /* 0; INFINITY where none is */
    bool zeros;          /* some are 0 */
    bool masked, broken; /* some have no value: masked, or no number */
    const char *lowest;  /* the tensor where the least one stands */
} Extent;

static Extent find_extent(const Matrix *matrix, int count) {
    Extent extent = {
        .least = INFINITY, .most = -INFINITY, .least_above = INFINITY, .lowest = ""};
    for (int i = 0; i < count; i++)
        for (int row = 0; row < matrix[i].rows && !interrupt_signal(); row++)
            for (int column = 0; column < matrix[i].columns; column++) {
                double value = matrix_value(&matrix[i], row, column);
                if (matrix_is_hatched(&matrix[i], row, column)) {
                    bool broken = isnan(value) || value == INFINITY;
                    extent.broken = extent.broken || broken;
                    extent.masked = extent.masked || !broken;
                    continue;
                }
                if (value < extent.least) extent.lowest = matrix[i].slice.tensor->name;
                extent.least = fmin(extent.least, value);
                extent.most = fmax(extent.most, value);
                extent.zeros = extent.zeros || value == 0;
                if (value > 0) extent.least_above = fmin(extent.least_above, value);
            }
    return extent;
}

void scale_dress(Scale *scale, const Palette *palette) {
    /* Three digits that tell, of the largest number. */
    double size = fmax(fabs(scale->least), fabs(scale->most));
    bool shares = scale->kind == SCALE_SHARES;
    bool far = size >= 99999.5 || (size > 0 && size < 0.00995);
    scale->scientific = !shares && far;
    scale->decimals = 2;
    if (!shares && (far || size >= 9.995)) scale->decimals = far || size < 99.5 ? 1 : 0;
    scale->palette = palette ? palette : palette_find(kinds[scale->kind].palette);
    scale->note = said(kinds[scale->kind].note);
}

Scale scale_fit(const Matrix *matrix, int count, ScaleKind kind,
                const Palette *palette) {
    const Extent extent = find_extent(matrix, count);
    bool some = extent.least <= extent.most;
    Scale scale = {.kind = kind,
                   .least = some ? extent.least : 0,
                   .most = some ? extent.most : 0,
                   .hatched = extent.masked && extent.broken
                                  ? said("masked, or not a number")
                              : extent.masked ? said("masked")
                              : extent.broken ? said("not a number")
                                              : NULL};
    scale.lowest = scale.least;
    scale.highest = scale.most;
    if (kind == SCALE_AUTO)
        scale.kind = all_hold_shares(matrix, count) ? SCALE_SHARES
                     : scale.least < 0              ? SCALE_SIGNED
                                                    : SCALE_SPAN;
    scale_dress(&scale, palette);
    if (count > 0 && matrix[0].slice.tensor->holds_ids) scale.decimals = 0;
    if (scale.kind == SCALE_SHARES) {
        scale.least = 0;
        scale.most = 1;
        /* Numbers that a hand set can be no shares. */
        scale.below = scale.lowest < -1e-3;
        scale.above = scale.highest > 1 + 1e-3;
        if (scale.below || scale.above) scale.note = said("share of 1");
    }
    if (scale.kind == SCALE_SIGNED) {
        scale.most = fmax(fabs(scale.least), fabs(scale.most));
        scale.least = -scale.most;
    }
    return scale;
}

bool scale_is_blank(const Scale *scale, double value) {
    return scale->logarithmic && value <= 0;
}

double scale_strength(const Scale *scale, double value) {
    double span = scale->most - scale->least;
    if (span <= 0) return 0.5;
    if (scale_is_blank(scale, value)) return 0;
    double strength = scale->logarithmic ? (log(value) - log(scale->least)) /
                                               (log(scale->most) - log(scale->least))
                                         : (value - scale->least) / span;
    return fmin(fmax(strength, 0), 1);
}

double scale_at(const Scale *scale, double strength) {
    double least = scale->least;
    double most = scale->most;
    return scale->logarithmic ? exp(log(least) + strength * (log(most) - log(least)))
                              : least + strength * (most - least);
}

Color scale_color(const Scale *scale, double strength) {
    bool half = scale->palette->diverges && scale->kind != SCALE_SIGNED;
    return palette_color(scale->palette, half ? (1 + strength) / 2 : strength);
}

/* -0.00 would be read as a number below 0. */
const char *scale_number(const Scale *scale, double value, Arena *arena) {
    value = tensor_printed(value);
    if (scale->logarithmic) return arena_print(arena, "%.2g", value);
    const char *text = scale->scientific
                           ? arena_print(arena, "%.*e", scale->decimals, value)
                           : arena_print(arena, "%.*f", scale->decimals, value);
    if (*text != '-' || !isfinite(value)) return text;
    for (const char *c = text + 1; *c; c++)
        if (*c >= '1' && *c <= '9') return text;
    return text + 1;
}

const char *scale_shade(const Scale *scale, double value) {
    static const char *const positive[] = {"··", "░░", "▒▒", "▓▓", "██"};
    static const char *const negative[] = {"-·", "-░", "-▒", "-▓", "-█"};
    bool is_signed = scale->kind == SCALE_SIGNED;
    double strength = scale_strength(scale, value);
    if (scale_is_blank(scale, value)) return " 0";
    double size = is_signed ? fabs(strength - 0.5) * 2 : strength;
    if (size < 0.02 && !scale->logarithmic) return "  ";
    int level = (int)fmin(size * 5, 4);
    return is_signed && strength < 0.5 ? negative[level] : positive[level];
}

int scale_ticks(double least, double most, int wanted, double tick[TICKS_MOST],
                int *decimals) {
    *decimals = 2;
    tick[0] = least;
    if (!(most > least)) return 1;
    double rough = (most - least) / wanted;
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    double step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    *decimals = (int)fmin(fmax(-floor(log10(step) + rounding), 0), 9);
    int count = 0;
    for (double at = ceil(least / step - rounding); count < TICKS_MOST; at++) {
        if (at * step > most + step * 1e-6) break;
        tick[count++] = at == 0 ? 0 : at * step;
    }
    return count;
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

bool scale_grant(Scale *scale, const ScaleWish *wish, const Matrix *matrix, int count,
                 const Palette *palette, Error *error) {
    if (!wish->ranged && !wish->logarithmic) return true;
    const Extent extent = find_extent(matrix, count);
    bool shares = scale->kind == SCALE_SHARES;
    if (wish->logarithmic) {
        if (!check_logarithm(&extent, wish, error)) return false;
        scale->logarithmic = true;
        scale->zeros = extent.zeros;
        if (scale->kind == SCALE_SIGNED) scale->kind = SCALE_SPAN;
        scale->least = pow(10, floor(log10(extent.least_above) + rounding));
        scale->most = shares ? 1 : pow(10, ceil(log10(extent.most) - rounding));
        if (scale->most <= scale->least) scale->most = 10 * scale->least;
    }
    if (wish->ranged) {
        scale->least = wish->least;
        scale->most = wish->most;
        if (!shares && !scale->logarithmic)
            scale->kind = wish->least == -wish->most ? SCALE_SIGNED : SCALE_SPAN;
    }
    scale_dress(scale, palette);
    /* Without what is no longer so. */
    if (scale->logarithmic)
        scale->note =
            said(shares ? N_("share, logarithmic") : N_("value, logarithmic"));
    else if (shares)
        scale->note = said("share of 1");
    else if (scale->kind == SCALE_SPAN)
        scale->note = said("value");
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
    /* Of too many those at the upper end, which is the one that is looked at. */
    int first = to - (to - from) / step * step;
    if ((to - first) / step >= TICKS_MOST) first = to - (TICKS_MOST - 1) * step;
    for (int power = first; power <= to; power += step) tick[count++] = pow(10, power);
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
