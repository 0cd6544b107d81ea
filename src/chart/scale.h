/* scale.h - map numbers to colors, and the color bar, which shows this mapping:
 * vertical beside a picture, one line below a grid. */
#pragma once

#include "canvas/palette.h"
#include "chart/matrix.h"

typedef enum {
    SCALE_AUTO,   /* shares, signed or span, depending on the numbers */
    SCALE_SHARES, /* fixed from 0 to 1: attention weights, probabilities */
    SCALE_SIGNED, /* symmetric around 0 */
    SCALE_SPAN,   /* from the smallest to the largest number */
} ScaleKind;

typedef struct {
    ScaleKind kind; /* never SCALE_AUTO */
    double min, max;
    const Palette *palette;
    int decimals;           /* for a number in a cell */
    bool scientific;        /* as 1.2e-05 */
    const char *note;       /* "share, always 0 to 1": along the color bar */
    const char *hatched;    /* the meaning of hatched cells; NULL: there are none */
    bool logarithmic;       /* equal distances are equal factors; 0 has no color */
    bool zeros;             /* if logarithmic: some cells are 0 */
    double lowest, highest; /* of the numbers themselves */
    bool below, above;      /* some numbers are outside that end, and get its color */
} Scale;

/* Options of a scale, which override what the numbers suggest. All zero: none. */
typedef struct {
    bool ranged; /* use the range from `min` to `max` */
    double min, max;
    bool logarithmic;
} ScaleOptions;

/* Return one scale for all matrices. SCALE_AUTO chooses shares if every row of the
 * whole tensor is in 0..1 and sums to 1, or to 0 if all of it is masked. `palette`
 * NULL: the scale's default. Cells without a value are ignored. */
Scale scale_fit(const Matrix *matrix, int count, ScaleKind kind,
                const Palette *palette);

/* Apply the options to a scale of those matrices. Without a range, a logarithmic scale
 * starts and ends at a power of ten; it fails if there are negative numbers, or no
 * positive ones. `palette` as above. */
bool scale_apply(Scale *scale, const ScaleOptions *options, const Matrix *matrix,
                 int count, const Palette *palette, Error *error);

/* Does `value` have no color, because it is 0 on a logarithmic scale? */
bool scale_is_blank(const Scale *scale, double value);

/* Return the position of `value`: 0 at the lower end, 1 at the upper, clamped. */
double scale_strength(const Scale *scale, double value);

/* Return the color at a strength. A scale without a middle uses only the upper half of
 * a diverging palette, so that its two ends do not look equally strong. */
Color scale_color(const Scale *scale, double strength);

/* Return the number at a strength. */
double scale_at(const Scale *scale, double strength);

/* Return `value` as the cells show it, in `arena`. */
const char *scale_number(const Scale *scale, double value, Arena *arena);

/* Return "0.30", "10⁻⁵", or "≥ 0.30" if numbers are outside: the upper end, or the
 * lower one; allocated in `arena`. */
const char *scale_end(const Scale *scale, bool max, Arena *arena);

/* Return two cells of shade for a value without colors: "▒▒", or "-▒" below 0 on a
 * signed scale; blank at the lower end. */
const char *scale_shade(const Scale *scale, double value);

/* Get round numbers, `about` as many, for the color bar, as below; on a logarithmic
 * scale powers of ten. */
enum { TICKS_MAX = 24 };
int scale_marks(const Scale *scale, int about, double tick[TICKS_MAX], int *decimals);

/* Return the text of a tick: "0.2", "1.0e-05", or "10⁻⁵" on a logarithmic scale;
 * allocated in `arena`. */
const char *scale_mark_text(const Scale *scale, double value, int decimals,
                            Arena *arena);

/* Get round numbers, `about` as many, from `min` to `max` in `tick`; return their
 * number, and set `*decimals` to how many decimals they need. */
int scale_ticks(double min, double max, int about, double tick[TICKS_MAX],
                int *decimals);

typedef struct {
    const Scale *scale;
    double width, height;
    double strip;   /* length of the colors */
    double numbers; /* width of the numbers beside a vertical bar */
    double beyond;  /* how far large numbers extend beyond its ends */
} ColorBar;

/* Lay out a bar for `scale`, beside something that is `height` high; a grid ignores the
 * height. */
ColorBar color_bar_plan(const Scale *scale, Canvas *canvas, double height);

/* Draw it with the top left corner at `at`. */
void color_bar_draw(const ColorBar *bar, Canvas *canvas, Point at);
