/* palette.h - colors: palettes for numbers, by name, and themes, which adapt a picture
 * to its paper: light, dark, transparent, or print without colors.
 *
 * Figures are written for light paper. A canvas applies the theme to lines, frames and
 * boxes; cells that show a number keep the colors of their palette. */
#pragma once

#include <stdbool.h>

#include "canvas/canvas.h"

typedef struct {
    const char *name;
    const char *summary;
    const unsigned *point; /* 0xRRGGBB, equally spaced from 0 to 1 */
    int points;
    bool diverges; /* both ends are strong, and the middle is neutral */
} Palette;

extern const Palette palettes[];
extern const int palette_count;

/* Return the palette with that name, or NULL. */
const Palette *palette_find(const char *name);

/* Return "viridis, cividis, ...", in `arena`, for messages. */
const char *palette_names(Arena *arena);

/* Return the color at `strength`, clamped to 0 to 1. */
Color palette_color(const Palette *palette, double strength);

/* Return the contrast, from 1 (equal) to 21 (black on white): WCAG 2.1, which requires
 * 4.5 for text. */
double palette_contrast(Color one, Color other);

/* Return black or white, whichever has more contrast on `paper`: at least 4.5. */
const Color *palette_ink(Color paper);

/* Return the nearest of a terminal's 256 colors, 16 to 255: those that terminal themes
 * do not change. */
int palette_terminal(Color color);

/* Return color `i` for curves, distinguishable by color-blind readers (Okabe and Ito,
 * 2008). The PALETTE_CURVES colors repeat. */
Color palette_curve(int i);
enum { PALETTE_CURVES = 7 };

/* Mix `ink` into `paper`: part 0 is the paper, 1 the ink. */
Color palette_mix(Color paper, Color ink, double part);

/* 0xRRGGBB. */
unsigned palette_rgb(Color color);

bool palette_is_same(Color one, Color other);

extern const Color color_black, color_grey, color_light, color_white;

typedef enum { THEME_LIGHT, THEME_DARK, THEME_TRANSPARENT, THEME_PRINT } ThemeName;

typedef struct Theme {
    bool has_paper;
    Color paper, ink;
    Color faint;         /* for remarks */
    Color hatch, stroke; /* a cell without a value, and its strokes */
    Color (*turn)(const struct Theme *theme, Color color); /* NULL: no change */
    const char *palette; /* for cells, if none is named; NULL: the scale's palette */
} Theme;

/* Their names, in the order of ThemeName, ending with NULL. */
extern const char *const theme_names[];

const Theme *theme_named(ThemeName name);

/* Adapt a color that was chosen for light paper. On dark paper, white becomes the paper
 * and black the ink; in print everything is gray, and pure colors are darker. If turn()
 * is NULL, nothing changes. */
Color theme_color(const Theme *theme, Color color);
