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

/* Whether the rows of the whole tensor are shares of 1. */
static bool holds_shares(const Tensor *tensor) {
    int row = tensor_row(tensor);
    bool some = false;
    for (int start = 0; start < tensor_size(tensor); start += row) {
        double sum = 0;
        for (int i = start; i < start + row; i++) {
            if (!(tensor->data[i] >= 0 && tensor->data[i] <= 1.001)) return false;
            sum += tensor->data[i];
        }
        if (fabs(sum - 1) > 1e-3 && sum != 0) return false;
        some = some || sum != 0;
    }
    return some;
}

static bool all_hold_shares(const Matrix *matrix, int count) {
    const Tensor *checked = NULL;
    for (int i = 0; i < count; i++) {
        const Tensor *tensor = matrix[i].slice.tensor;
        if (matrix[i].column_axis != tensor->rank - 1 || tensor->holds_ids)
            return false;
        if (tensor != checked && !holds_shares(tensor)) return false;
        checked = tensor;
    }
    return count > 0;
}

static const char *hatched_as(bool masked, bool broken) {
    if (masked && broken) return said("masked, or not a number");
    return masked ? said("masked") : broken ? said("not a number") : NULL;
}

static void find_range(const Matrix *matrix, int count, Scale *scale) {
    bool masked = false;
    bool broken = false;
    scale->least = INFINITY;
    scale->most = -INFINITY;
    for (int i = 0; i < count; i++)
        for (int row = 0; row < matrix[i].rows && !interrupt_signal(); row++)
            for (int column = 0; column < matrix[i].columns; column++) {
                double value = matrix_value(&matrix[i], row, column);
                if (matrix_is_hatched(&matrix[i], row, column)) {
                    bool nothing = isnan(value) || value == INFINITY;
                    broken = broken || nothing;
                    masked = masked || !nothing;
                    continue;
                }
                scale->least = fmin(scale->least, value);
                scale->most = fmax(scale->most, value);
            }
    if (scale->least > scale->most) scale->least = scale->most = 0;
    scale->hatched = hatched_as(masked, broken);
    scale->lowest = scale->least;
    scale->highest = scale->most;
}

/* Three digits that tell, of the largest number. */
static void choose_digits(Scale *scale) {
    double size = fmax(fabs(scale->least), fabs(scale->most));
    bool far = size >= 99999.5 || (size > 0 && size < 0.00995);
    scale->scientific = scale->kind != SCALE_SHARES && far;
    scale->decimals = 2;
    if (scale->kind == SCALE_SHARES) return;
    scale->decimals = far || (size >= 9.995 && size < 99.5) ? 1 : size >= 99.5 ? 0 : 2;
}

void scale_dress(Scale *scale, const Palette *palette) {
    choose_digits(scale);
    scale->palette = palette ? palette : palette_find(kinds[scale->kind].palette);
    scale->note = said(kinds[scale->kind].note);
}

Scale scale_fit(const Matrix *matrix, int count, ScaleKind kind,
                const Palette *palette) {
    Scale scale = {.kind = kind};
    find_range(matrix, count, &scale);
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
