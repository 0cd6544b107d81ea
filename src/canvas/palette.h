/* palette.h - colours: palettes for numbers, by name, and themes, which say on which
 * paper a picture stands: light, dark, none at all, or print without colours.
 *
 * Figures are written for light paper. A canvas takes what is line, frame or box
 * through the theme; cells that carry a number keep the colours of their palette. */
#pragma once

#include <stdbool.h>

#include "canvas/canvas.h"

typedef struct {
    const char *name;
    const char *summary;
    const unsigned *point; /* 0xRRGGBB at equal distances from 0 to 1 */
    int points;
    bool diverges; /* both ends are strong, and the middle is nothing */
} Palette;

extern const Palette palettes[];
extern const int palette_count;

/* The palette with that name, or NULL. */
const Palette *palette_find(const char *name);

/* "viridis, cividis, ...", in `arena`: what a message lists. */
const char *palette_names(Arena *arena);

/* The colour at `strength`, 0 to 1; what lies outside takes the nearer end. */
Color palette_color(const Palette *palette, double strength);

/* From 1, the same, to 21, black on white: WCAG 2.1, which wants 4.5 for text. */
double palette_contrast(Color one, Color other);

/* Black or white, whichever has more contrast on `paper`: at least 4.5. */
const Color *palette_ink(Color paper);

/* The nearest of the 256 colours of a terminal, 16 to 255: the ones that themes leave
 * alone. */
int palette_terminal(Color color);

/* Colour `i` for curves, told apart with colour-blind eyes (Okabe and Ito, 2008);
 * after PALETTE_CURVES of them they begin again. */
Color palette_curve(int i);
enum { PALETTE_CURVES = 7 };

/* `part` of `ink` on `paper`: 0 is the paper, 1 the ink. */
Color palette_mix(Color paper, Color ink, double part);

/* 0xRRGGBB. */
unsigned palette_rgb(Color color);

bool palette_is_same(Color one, Color other);

extern const Color color_black, color_grey, color_light, color_white;

typedef enum { THEME_LIGHT, THEME_DARK, THEME_TRANSPARENT, THEME_PRINT } ThemeName;

typedef struct Theme {
    bool has_paper;
    Color paper, ink;
    Color faint;         /* of what is said beside */
    Color hatch, stroke; /* a cell without a value, and the strokes across it */
    Color (*turn)(const struct Theme *theme, Color color); /* NULL: it stays */
    const char *palette; /* of cells, where none is named; NULL: the scale's */
} Theme;

/* Their names, in the order of ThemeName, ending with NULL. */
extern const char *const theme_names[];

const Theme *theme_named(ThemeName name);

/* How a colour that was meant for light paper looks here: on dark paper what was white
 * is as dark as the paper and what was black as light as the ink, in print all is grey,
 * the darker the purer it was. NULL: it stays. */
Color theme_color(const Theme *theme, Color color);
