/* theme.h - on which paper a picture stands: light, dark, none at all, or print without
 * colours.
 *
 * Figures are written for light paper. A canvas takes what is line, frame or box
 * through the theme; cells that carry a number keep the colours of their palette. */
#pragma once

#include "view/palette.h"

typedef enum { THEME_LIGHT, THEME_DARK, THEME_TRANSPARENT, THEME_PRINT } ThemeName;

typedef struct Theme {
    bool has_paper;
    Color paper, ink;
    Color faint;         /* of what is said beside */
    Color hatch, stroke; /* a cell without a value, and the strokes across it */
    Color (*turn)(const struct Theme *theme, Color color);
    const char
        *palette; /* of cells, where none is named; NULL: as the scale suggests */
} Theme;

/* Their names, in the order of ThemeName, ending with NULL. */
extern const char *const theme_names[];

const Theme *theme_named(ThemeName name);

/* How a colour that was meant for light paper looks here: on dark paper what was white
 * is as dark as the paper and what was black as light as the ink, in print all is grey,
 * the darker the purer it was. NULL: it stays. */
Color theme_color(const Theme *theme, Color color);
