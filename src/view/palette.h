/* palette.h - colours for numbers, by name. */
#pragma once

#include "view/canvas.h"

typedef struct {
    const char *name;
    const char *summary;
    const unsigned *point; /* 0xRRGGBB at equal distances from 0 to 1 */
    int points;
} Palette;

extern const Palette palettes[];
extern const int palette_count;

/* The palette with that name, or NULL. */
const Palette *palette_find(const char *name);

/* "viridis, cividis, ...", in `arena`: what a message lists. */
const char *palette_names(Arena *arena);

/* The colour at `strength`, 0 to 1; what lies outside takes the nearer end. */
Color palette_color(const Palette *palette, double strength);

/* Black or white: which can be read on `paper` (relative luminance above .408). */
const Color *palette_ink(Color paper);

/* The nearest of the 256 colours of a terminal, 16 to 255: the ones that themes leave
 * alone. */
int palette_terminal(Color color);

/* Colour `i` for curves, told apart with colour-blind eyes (Okabe and Ito, 2008);
 * after PALETTE_CURVES of them they begin again. */
Color palette_curve(int i);
enum { PALETTE_CURVES = 7 };

extern const Color color_black, color_grey, color_light, color_white;
