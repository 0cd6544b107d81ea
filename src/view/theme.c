#include "view/theme.h"

#include <math.h>

static Color as_it_is(const Theme *theme, Color color) {
    (void)theme;
    return color;
}

/* A colour is a part of a pure one, a part of white and a part of black. Here the paper
 * stands for the white and the ink for the black, so that a tint which fades into
 * white paper fades into the dark one. What is far from grey stays to be seen: it is
 * lifted to a brightness of its own. */
static Color on_dark(const Theme *theme, Color color) {
    const double seen = 0.2, far = 0.3;
    double white = fmin(color.red, fmin(color.green, color.blue));
    double black = 1 - fmax(color.red, fmax(color.green, color.blue));
    Color dark = {
        color.red - white + white * theme->paper.red + black * theme->ink.red,
        color.green - white + white * theme->paper.green + black * theme->ink.green,
        color.blue - white + white * theme->paper.blue + black * theme->ink.blue};
    double least = seen * fmin((1 - black - white) / far, 1);
    double is = palette_luminance(dark);
    double lift = is < least ? (least - is) / (palette_luminance(theme->ink) - is) : 0;
    return (Color){dark.red + lift * (theme->ink.red - dark.red),
                   dark.green + lift * (theme->ink.green - dark.green),
                   dark.blue + lift * (theme->ink.blue - dark.blue)};
}

/* As grey as it is bright; a pure colour darker than that, since what is thin and
 * yellow is hardly seen on white. */
static Color in_grey(const Theme *theme, Color color) {
    (void)theme;
    double pure = fmax(color.red, fmax(color.green, color.blue)) -
                  fmin(color.red, fmin(color.green, color.blue));
    double luminance = palette_luminance(color);
    double level = luminance <= 0.0031308 ? 12.92 * luminance
                                          : 1.055 * pow(luminance, 1 / 2.4) - 0.055;
    level *= 1 - 0.35 * pure;
    return (Color){level, level, level};
}

#define LIGHT_PAPER                                                                    \
    .paper = {1, 1, 1}, .ink = {0.13, 0.13, 0.13}, .faint = {0.42, 0.42, 0.42},        \
    .hatch = {0.93, 0.93, 0.93}, .stroke = {0.66, 0.66, 0.66}

static const Theme themes[] = {
    [THEME_LIGHT] = {.has_paper = true, .turn = as_it_is, LIGHT_PAPER},
    [THEME_DARK] = {.has_paper = true,
                    .turn = on_dark,
                    .paper = {0.11, 0.12, 0.13},
                    .ink = {0.93, 0.93, 0.93},
                    .faint = {0.68, 0.68, 0.68},
                    .hatch = {0.19, 0.20, 0.21},
                    .stroke = {0.44, 0.44, 0.44}},
    [THEME_TRANSPARENT] = {.has_paper = false, .turn = as_it_is, LIGHT_PAPER},
    [THEME_PRINT] = {.has_paper = true,
                     .turn = in_grey,
                     .palette = "grey",
                     .paper = {1, 1, 1},
                     .ink = {0, 0, 0},
                     .faint = {0.3, 0.3, 0.3},
                     .hatch = {1, 1, 1},
                     .stroke = {0.5, 0.5, 0.5}},
};

const char *const theme_names[] = {"light", "dark", "transparent", "print", NULL};

const Theme *theme_named(ThemeName name) {
    return &themes[name];
}

Color theme_color(const Theme *theme, Color color) {
    return theme ? theme->turn(theme, color) : color;
}
