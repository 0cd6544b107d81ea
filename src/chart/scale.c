#include "chart/scale.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/language.h"

/* By ScaleKind. */
static const struct {
    const char *palette, *note;
} kinds[] = {
    [SCALE_SHARES] = {"viridis", N_("weight or probability, always 0 to 1")},
    [SCALE_SIGNED] = {"redblue", N_("value, symmetric around 0")},
    [SCALE_SPAN] = {"viridis", N_("value, min to max")},
};

static const double rounding = 1e-9;

/* Are the rows of the whole tensors fractions that sum to 1? */
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

/* The range of the cells. */
typedef struct {
    double min, max;     /* INFINITY and -INFINITY if no cell has a value */
    double min_above;    /* smallest number above 0; INFINITY if there is none */
    bool zeros;          /* some are 0 */
    bool masked, broken; /* some have no value: masked, or NaN or infinite */
    const char *lowest;  /* name of the tensor with the smallest number */
} Extent;

static Extent find_extent(const Matrix *matrix, int count) {
    Extent extent = {
        .min = INFINITY, .max = -INFINITY, .min_above = INFINITY, .lowest = ""};
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
                if (value < extent.min) extent.lowest = matrix[i].slice.tensor->name;
                extent.min = fmin(extent.min, value);
                extent.max = fmax(extent.max, value);
                extent.zeros = extent.zeros || value == 0;
                if (value > 0) extent.min_above = fmin(extent.min_above, value);
            }
    return extent;
}

/* Choose palette, note and digits for the scale's kind and ends. */
static void scale_complete(Scale *scale, const Palette *palette) {
    /* Three significant digits of the largest number. */
    double size = fmax(fabs(scale->min), fabs(scale->max));
    bool shares = scale->kind == SCALE_SHARES;
    bool far = size >= 99999.5 || (size > 0 && size < 0.00995);
    scale->scientific = !shares && far;
    scale->decimals = 2;
    if (!shares && (far || size >= 9.995)) scale->decimals = far || size < 99.5 ? 1 : 0;
    scale->palette = palette ? palette : palette_find(kinds[scale->kind].palette);
    scale->note = tr(kinds[scale->kind].note);
}

Scale scale_fit(const Matrix *matrix, int count, ScaleKind kind,
                const Palette *palette) {
    const Extent extent = find_extent(matrix, count);
    bool some = extent.min <= extent.max;
    Scale scale = {.kind = kind,
                   .min = some ? extent.min : 0,
                   .max = some ? extent.max : 0,
                   .hatched = extent.masked && extent.broken
                                  ? tr("masked, or not a number")
                              : extent.masked ? tr("masked")
                              : extent.broken ? tr("not a number")
                                              : NULL};
    scale.lowest = scale.min;
    scale.highest = scale.max;
    if (kind == SCALE_AUTO)
        scale.kind = all_hold_shares(matrix, count) ? SCALE_SHARES
                     : scale.min < 0                ? SCALE_SIGNED
                                                    : SCALE_SPAN;
    scale_complete(&scale, palette);
    if (count > 0 && matrix[0].slice.tensor->holds_ids) scale.decimals = 0;
    if (scale.kind == SCALE_SHARES) {
        scale.min = 0;
        scale.max = 1;
        /* Numbers that were changed manually may be outside 0 to 1. */
        scale.below = scale.lowest < -1e-3;
        scale.above = scale.highest > 1 + 1e-3;
        if (scale.below || scale.above) scale.note = tr("fraction");
    }
    if (scale.kind == SCALE_SIGNED) {
        scale.max = fmax(fabs(scale.min), fabs(scale.max));
        scale.min = -scale.max;
    }
    return scale;
}

bool scale_is_blank(const Scale *scale, double value) {
    return scale->logarithmic && value <= 0;
}

double scale_strength(const Scale *scale, double value) {
    double span = scale->max - scale->min;
    if (span <= 0) return 0.5;
    if (scale_is_blank(scale, value)) return 0;
    double strength = scale->logarithmic ? (log(value) - log(scale->min)) /
                                               (log(scale->max) - log(scale->min))
                                         : (value - scale->min) / span;
    return fmin(fmax(strength, 0), 1);
}

double scale_at(const Scale *scale, double strength) {
    double min = scale->min;
    double max = scale->max;
    return scale->logarithmic ? exp(log(min) + strength * (log(max) - log(min)))
                              : min + strength * (max - min);
}

Color scale_color(const Scale *scale, double strength) {
    bool half = scale->palette->diverges && scale->kind != SCALE_SIGNED;
    return palette_color(scale->palette, half ? (1 + strength) / 2 : strength);
}

/* -0.00 would be read as a negative number. */
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

int scale_ticks(double min, double max, int about, double tick[TICKS_MAX],
                int *decimals) {
    *decimals = 2;
    tick[0] = min;
    if (!(max > min)) return 1;
    double rough = (max - min) / about;
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    double step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    *decimals = (int)fmin(fmax(-floor(log10(step) + rounding), 0), 9);
    int count = 0;
    for (double at = ceil(min / step - rounding); count < TICKS_MAX; at++) {
        if (at * step > max + step * 1e-6) break;
        tick[count++] = at == 0 ? 0 : at * step;
    }
    return count;
}

bool scale_apply(Scale *scale, const ScaleOptions *options, const Matrix *matrix,
                 int count, const Palette *palette, Error *error) {
    if (!options->ranged && !options->logarithmic) return true;
    const Extent extent = find_extent(matrix, count);
    bool shares = scale->kind == SCALE_SHARES;
    if (options->logarithmic) {
        if (options->ranged && options->min <= 0)
            return fail_usage(error,
                              "with --log the range must start above 0, as in --range "
                              "0.001:1; it starts at %g",
                              options->min);
        if (extent.min < 0)
            return fail(error,
                        "%s has %.3g, but only numbers above 0 have a logarithm; leave "
                        "out --log",
                        extent.lowest, extent.min);
        if (!isfinite(extent.min_above))
            return fail(error,
                        "no number is above 0, so there are no logarithms; leave "
                        "out --log");
        scale->logarithmic = true;
        scale->zeros = extent.zeros;
        if (scale->kind == SCALE_SIGNED) scale->kind = SCALE_SPAN;
        scale->min = pow(10, floor(log10(extent.min_above) + rounding));
        scale->max = shares ? 1 : pow(10, ceil(log10(extent.max) - rounding));
        if (scale->max <= scale->min) scale->max = 10 * scale->min;
    }
    if (options->ranged) {
        scale->min = options->min;
        scale->max = options->max;
        if (!shares && !scale->logarithmic)
            scale->kind = options->min == -options->max ? SCALE_SIGNED : SCALE_SPAN;
    }
    scale_complete(scale, palette);
    /* The options may have changed what the note says. */
    if (scale->logarithmic)
        scale->note = tr(shares ? N_("weight or probability, logarithmic")
                                : N_("value, logarithmic"));
    else if (shares)
        scale->note = tr("fraction");
    else if (scale->kind == SCALE_SPAN)
        scale->note = tr("value");
    /* A number that is outside only by rounding does not count as outside. */
    double room = 1e-6 * (scale->max - scale->min);
    double lowest = scale->logarithmic ? extent.min_above : extent.min;
    scale->lowest = lowest;
    scale->below = lowest < scale->min - room;
    scale->above = extent.max > scale->max + room;
    return true;
}

/* On a logarithmic scale: every power of ten, or every second or fifth if there are
 * many. */
int scale_marks(const Scale *scale, int about, double tick[TICKS_MAX], int *decimals) {
    if (!scale->logarithmic)
        return scale_ticks(scale->min, scale->max, about, tick, decimals);
    int from = (int)ceil(log10(scale->min) - rounding);
    int to = (int)floor(log10(scale->max) + rounding);
    int step = 1 + (to - from) / (about + 2);
    int count = 0;
    /* If there are too many, keep those at the upper end, which matters more. */
    int first = to - (to - from) / step * step;
    if ((to - first) / step >= TICKS_MAX) first = to - (TICKS_MAX - 1) * step;
    for (int power = first; power <= to; power += step) tick[count++] = pow(10, power);
    if (count == 0) tick[count++] = scale->min;
    *decimals = 2;
    return count;
}

const char *scale_mark_text(const Scale *scale, double value, int decimals,
                            Arena *arena) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴",
                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (!scale->logarithmic)
        return scale->scientific ? arena_print(arena, "%.1e", value)
                                 : arena_print(arena, "%.*f", decimals, value);
    int power = (int)round(log10(value));
    if (fabs(log10(value) - power) >= rounding)
        return scale_number(scale, value, arena);
    if (power == 0 || power == 1) return power ? "10" : "1";
    const char *text = "";
    for (int left = abs(power); left > 0; left /= 10)
        text = arena_print(arena, "%s%s", digit[left % 10], text);
    return arena_print(arena, "10%s%s", power < 0 ? "⁻" : "", text);
}

const char *scale_end(const Scale *scale, bool max, Arena *arena) {
    bool beyond = max ? scale->above : scale->below;
    double end = max ? scale->max : scale->min;
    if (beyond)
        return arena_print(arena, "%s %s", max ? "≥" : "≤",
                           scale_number(scale, end, arena));
    return scale->logarithmic ? scale_mark_text(scale, end, 0, arena)
                              : scale_number(scale, end, arena);
}

/* Pixels. */
enum { STRIP_WIDTH = 16, STRIP_MIN = 140, STRIP_MAX = 300, STEPS = 60 };

static const double label_size = 0.92, note_size = 0.7;

/* How much longer than the strip the note may be, in pixels. */
enum { NOTE_BEYOND = 19 };

/* The text after the strip in a grid: the note, and the meaning of hatched cells. */
static const char *hatched_text(const Scale *scale, Arena *arena) {
    return scale->hatched ? arena_print(arena, "╱╱ %s", scale->hatched) : "";
}

/* Place the strip with its numbers, the note and the hatched cells: on one line if that
 * fits, else one below the other. */
static void plan_grid(ColorBar *bar, Canvas *canvas, double numbers) {
    const Scale *scale = bar->scale;
    double max = canvas->metrics.max;
    Style style = {0};
    bar->strip = canvas->metrics.colors ? 20 : scale->kind == SCALE_SIGNED ? 18 : 10;
    if (max > 0 && bar->strip + numbers + 2 > max) /* a shade takes two cells */
        bar->strip = fmax(2, 2 * floor((max - numbers - 2) / 2));
    double strip = bar->strip + numbers + 2;
    double note = canvas->measure(canvas, style, scale->note);
    double hatched = canvas->measure(canvas, style, hatched_text(scale, canvas->arena));
    bar->width = strip + 2 + note + (hatched > 0 ? 3 + hatched : 0);
    bar->height = 1;
    if (max <= 0 || bar->width <= max) return;
    bar->width = fmax(strip, fmax(note, hatched));
    bar->height = hatched > 0 ? 3 : 2;
}

ColorBar color_bar_plan(const Scale *scale, Canvas *canvas, double height) {
    const Metrics *metrics = &canvas->metrics;
    ColorBar bar = {.scale = scale};
    double first =
        canvas->measure(canvas, (Style){0}, scale_end(scale, false, canvas->arena));
    double last =
        canvas->measure(canvas, (Style){0}, scale_end(scale, true, canvas->arena));
    if (metrics->characters) {
        plan_grid(&bar, canvas, first + last);
        return bar;
    }
    bar.numbers = fmax(first, last);
    bar.strip = fmin(fmax(height, STRIP_MIN), STRIP_MAX);
    double note = canvas->measure(canvas, (Style){.size = note_size}, scale->note);
    bar.strip = fmax(bar.strip, ceil(note - NOTE_BEYOND));
    bar.beyond = metrics->line / 2 * (1 - 1 / canvas_growth(canvas));
    bar.height = bar.strip + bar.beyond;
    bar.width = STRIP_WIDTH + 2 * metrics->gap + bar.numbers + metrics->line;
    /* The meaning of cells without a color, below the strip. */
    const char *const legend[] = {scale->hatched,
                                  scale->zeros ? tr("exactly 0") : NULL};
    for (int l = 0; l < 2; l++) {
        if (!legend[l]) continue;
        bool is_first = bar.height <= bar.strip + bar.beyond;
        bar.height += is_first ? 2 * metrics->line : metrics->line + 4;
        bar.width =
            fmax(bar.width,
                 STRIP_WIDTH + metrics->gap +
                     canvas->measure(canvas, (Style){.size = label_size}, legend[l]));
    }
    return bar;
}

static void draw_grid(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    bool colors = canvas->metrics.colors;
    const char *min = scale_end(scale, false, canvas->arena);
    const char *max = scale_end(scale, true, canvas->arena);
    canvas->text(canvas, at, (Style){0}, min);
    Point place = {at.x + canvas->measure(canvas, (Style){0}, min) + 1, at.y};
    /* Draw the colors, or the shades that replace them, from the smallest value to the
     * largest. */
    int steps = colors ? (int)bar->strip : (int)bar->strip / 2;
    double width = bar->strip / steps;
    for (int i = 0; i < steps; i++) {
        double strength = (i + 0.5) / steps;
        Point step = {place.x + i * width, at.y};
        if (colors)
            canvas->fill(canvas, (Box){step.x, step.y, width, 1},
                         scale_color(scale, strength));
        else
            canvas->text(canvas, step, (Style){0},
                         scale_shade(scale, scale_at(scale, strength)));
    }
    place.x += bar->strip + 1;
    canvas->text(canvas, place, (Style){0}, max);
    place.x += canvas->measure(canvas, (Style){0}, max) + 2;
    const char *const after[] = {scale->note, hatched_text(scale, canvas->arena)};
    for (int b = 0; b < 2; b++) {
        if (bar->height > 1) place = (Point){at.x, at.y + b + 1};
        canvas->text(canvas, place, (Style){.faint = true}, after[b]);
        place.x += canvas->measure(canvas, (Style){.faint = true}, after[b]) + 3;
    }
}

static void draw_tick(const ColorBar *bar, Canvas *canvas, Point at, double value,
                      const char *text) {
    double x = at.x + STRIP_WIDTH;
    double y = at.y + (1 - scale_strength(bar->scale, value)) * bar->strip;
    y = fmin(fmax(floor(y), at.y + 1), at.y + bar->strip - 1) + 0.5;
    canvas->line(canvas, (Point[]){{x, y}, {x + 4, y}}, 2,
                 (Stroke){.color = color_grey, .width = 1});
    canvas->text(canvas, (Point){x + canvas->metrics.gap, y},
                 (Style){.size = label_size}, text);
}

/* Return the lower or upper end of the scale, or the round number `tick` if they are
 * equal. */
static const char *end_text(const Scale *scale, bool max, double tick, int decimals,
                            Arena *arena) {
    bool beyond = max ? scale->above : scale->below;
    if (tick != (max ? scale->max : scale->min)) return scale_end(scale, max, arena);
    const char *text = scale_mark_text(scale, tick, decimals, arena);
    return beyond ? arena_print(arena, "%s %s", max ? "≥" : "≤", text) : text;
}

/* Draw the meaning of cells without a color, below the strip. */
static void draw_legends(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    double line = canvas->metrics.line;
    Box cell = {at.x, at.y + bar->strip + line, STRIP_WIDTH, STRIP_WIDTH};
    Point beside = {at.x + STRIP_WIDTH + canvas->metrics.gap,
                    cell.y + STRIP_WIDTH / 2.0};
    Style style = {.size = label_size};
    if (scale->hatched) {
        canvas->hatch(canvas, cell);
        canvas->text(canvas, beside, style, scale->hatched);
        cell.y += line + 4;
        beside.y += line + 4;
    }
    if (!scale->zeros) return;
    Box frame = {cell.x + 0.5, cell.y + 0.5, cell.width - 1, cell.height - 1};
    canvas_outline(canvas, frame, 0, (Stroke){.color = color_light, .width = 1});
    canvas->text(canvas, beside, style, tr("exactly 0"));
}

static void draw_picture(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    Arena *arena = canvas->arena;
    double line = canvas->metrics.line;
    double step = bar->strip / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double top = floor(at.y + i * step);
        double bottom = floor(at.y + (i + 1) * step);
        canvas->fill(canvas, (Box){at.x, top, STRIP_WIDTH, bottom - top},
                     scale_color(scale, 1 - (i + 0.5) / STEPS));
    }
    /* Both ends of the scale, and round numbers if they fit between. */
    double tick[TICKS_MAX];
    int decimals;
    double room = line / bar->strip;
    int ticks = scale_marks(scale, (int)fmax(fmin(5, 1 / room), 1), tick, &decimals);
    for (int i = 0; i < ticks; i++) {
        double strength = scale_strength(scale, tick[i]);
        if (strength > room && strength < 1 - room)
            draw_tick(bar, canvas, at, tick[i],
                      scale_mark_text(scale, tick[i], decimals, arena));
    }
    draw_tick(bar, canvas, at, scale->min,
              end_text(scale, false, tick[0], decimals, arena));
    if (scale->max > scale->min)
        draw_tick(bar, canvas, at, scale->max,
                  end_text(scale, true, tick[ticks - 1], decimals, arena));
    Style style = {
        .align = ALIGN_MIDDLE, .angle = -90, .size = label_size, .faint = true};
    const char *note = scale->note;
    if (canvas->measure(canvas, style, note) > bar->strip + NOTE_BEYOND)
        style.size = note_size;
    Point beside = {at.x + STRIP_WIDTH + 2 * canvas->metrics.gap + bar->numbers +
                        line / 2,
                    at.y + bar->strip / 2};
    canvas->text(canvas, beside, style, note);
    draw_legends(bar, canvas, at);
}

void color_bar_draw(const ColorBar *bar, Canvas *canvas, Point at) {
    (canvas->metrics.characters ? draw_grid : draw_picture)(bar, canvas, at);
}
