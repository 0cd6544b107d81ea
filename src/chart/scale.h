/* scale.h - from numbers to colours, and the colour bar, which says what they stand
 * for: upright beside a picture, one line under a grid. */
#pragma once

#include "canvas/palette.h"
#include "chart/matrix.h"

typedef enum {
    SCALE_AUTO,   /* shares, signed or span, as the numbers are */
    SCALE_SHARES, /* fixed from 0 to 1: attention weights, probabilities */
    SCALE_SIGNED, /* symmetric around 0 */
    SCALE_SPAN,   /* from the least to the most */
} ScaleKind;

typedef struct {
    ScaleKind kind; /* never SCALE_AUTO */
    double least, most;
    const Palette *palette;
    int decimals;           /* of a number in a cell */
    bool scientific;        /* as 1.2e-05 */
    const char *note;       /* "share, always 0 to 1": along the colour bar */
    const char *hatched;    /* what hatched cells are; NULL: there are none */
    bool logarithmic;       /* equal distances are equal factors; 0 has no colour */
    bool zeros;             /* of a logarithmic one: there are cells that are 0 */
    double lowest, highest; /* of the numbers themselves */
    bool below, above;      /* some numbers lie beyond that end, and take its colour */
} Scale;

/* What a person asks of a scale, whatever the numbers suggest. All zero: nothing. */
typedef struct {
    bool ranged; /* from `least` to `most` */
    double least, most;
    bool logarithmic;
} ScaleOptions;

/* One scale for all of the matrices. SCALE_AUTO takes shares where every row of the
 * whole tensor lies in 0..1 and sums to 1, or to 0 if all of it is masked. `palette`
 * NULL: the scale's own. Cells without a value do not count. */
Scale scale_fit(const Matrix *matrix, int count, ScaleKind kind,
                const Palette *palette);

/* Apply the options to a scale of those matrices. Without a range a logarithmic one
 * begins and ends at a power of ten. Fails where numbers below 0, or none above it,
 * have no logarithm. `palette` as above. */
bool scale_apply(Scale *scale, const ScaleOptions *options, const Matrix *matrix,
                 int count, const Palette *palette, Error *error);

/* Has `value` no colour of its own, being 0 where only factors count? */
bool scale_is_blank(const Scale *scale, double value);

/* Where `value` lies: 0 at the least, 1 at the most, not beyond. */
double scale_strength(const Scale *scale, double value);

/* The colour at a strength. Of a palette that diverges a scale without a middle takes
 * the upper half, so that its least and its most do not look equally strong. */
Color scale_color(const Scale *scale, double strength);

/* The number at a strength. */
double scale_at(const Scale *scale, double strength);

/* `value` as the cells show it, in `arena`. */
const char *scale_number(const Scale *scale, double value, Arena *arena);

/* "0.30", "10⁻⁵", or "≥ 0.30" where numbers lie beyond: the upper end, or the lower
 * one; in `arena`. */
const char *scale_end(const Scale *scale, bool most, Arena *arena);

/* Two cells of shade for a value without colours: "▒▒", and "-▒" below 0 on a signed
 * scale; blank for the least. */
const char *scale_shade(const Scale *scale, double value);

/* Round numbers for the colour bar, about `wanted` of them, as below: of a logarithmic
 * scale powers of ten. */
enum { TICKS_MOST = 24 };
int scale_marks(const Scale *scale, int wanted, double tick[TICKS_MOST], int *decimals);

/* "0.2", "1.0e-05", of a logarithmic scale "10⁻⁵": a tick, in `arena`. */
const char *scale_mark_text(const Scale *scale, double value, int decimals,
                            Arena *arena);

/* Round numbers from `least` to `most`, about `wanted` of them, in `tick`; returns how
 * many, and in `*decimals` how many places they need. */
int scale_ticks(double least, double most, int wanted, double tick[TICKS_MOST],
                int *decimals);

typedef struct {
    const Scale *scale;
    double width, height;
    double strip;   /* how long the colours themselves are */
    double numbers; /* how wide the numbers beside an upright bar are */
} ColorBar;

/* A bar for `scale`, to be beside something `height` high; a grid takes no notice
 * of the height. */
ColorBar color_bar_plan(const Scale *scale, Canvas *canvas, double height);

/* Draw it with the top left corner at `at`. */
void color_bar_draw(const ColorBar *bar, Canvas *canvas, Point at);
