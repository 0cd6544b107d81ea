#include "canvas/palette.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* viridis and magma: Smith and van der Walt, 2015, CC0. cividis: Nunez, Anderton and
 * Renslow, 2018, free of copyright. Ten equally spaced points each. */
static const unsigned viridis[] = {0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E,
                                   0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725};
static const unsigned magma[] = {0x000004, 0x180F3E, 0x451077, 0x721F81, 0x9F2F7F,
                                 0xCD4071, 0xF1605D, 0xFD9567, 0xFEC98D, 0xFCFDBF};
static const unsigned cividis[] = {0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173,
                                   0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46};
/* Colors at the same distance from the middle have the same luminance, so that a
 * grayscale print still shows how far a number is from 0. */
static const unsigned signed_points[] = {0x0B2F6B, 0x2C66AE, 0x6FA3D6,
                                         0xB9D5EE, 0xF6F6F4, 0xF2C6B4,
                                         0xDE8868, 0xB34739, 0x6B1220};
static const unsigned grey_points[] = {0xF4F4F4, 0x101010};

const Palette palettes[] = {
    {"viridis", "dark blue to yellow, even steps for every eye", viridis,
     COUNT(viridis), false},
    {"cividis", "blue to yellow, alike with red-green blindness", cividis,
     COUNT(cividis), false},
    {"magma", "black to red to cream", magma, COUNT(magma), false},
    {"redblue", "blue below 0, red above", signed_points, COUNT(signed_points), true},
    {"grey", "light to dark, for print", grey_points, COUNT(grey_points), false},
};
const int palette_count = COUNT(palettes);

const Color color_black = {0.13, 0.13, 0.13};
const Color color_grey = {0.42, 0.42, 0.42};
const Color color_light = {0.82, 0.82, 0.82};
const Color color_white = {1, 1, 1};

static Color color_of(unsigned rgb) {
    return (Color){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                   (rgb & 255) / 255.0};
}

const Palette *palette_find(const char *name) {
    for (int i = 0; i < palette_count; i++)
        if (strcmp(palettes[i].name, name) == 0) return &palettes[i];
    return NULL;
}

const char *palette_names(Arena *arena) {
    Builder names = {.arena = arena};
    for (int i = 0; i < palette_count; i++)
        build_item(&names, ", ", "%s", palettes[i].name);
    return builder_text(&names);
}

Color palette_mix(Color paper, Color ink, double part) {
    return (Color){paper.red + part * (ink.red - paper.red),
                   paper.green + part * (ink.green - paper.green),
                   paper.blue + part * (ink.blue - paper.blue)};
}

Color palette_color(const Palette *palette, double strength) {
    double place = fmin(fmax(strength, 0), 1) * (palette->points - 1);
    int left = (int)fmin(place, palette->points - 2);
    double part = place - left;
    return palette_mix(color_of(palette->point[left]),
                       color_of(palette->point[left + 1]), part);
}

static double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

/* Return the relative luminance, 0 to 1: WCAG 2.1. */
static double palette_luminance(Color color) {
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) +
           0.0722 * linear(color.blue);
}

double palette_contrast(Color one, Color other) {
    double a = palette_luminance(one);
    double b = palette_luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

const Color *palette_ink(Color paper) {
    static const Color darkest = {0, 0, 0};
    bool dark = palette_contrast(paper, darkest) > palette_contrast(paper, color_white);
    return dark ? &darkest : &color_white;
}

/* The steps of the 6 x 6 x 6 cube are 0, 95, 135, 175, 215 and 255. */
static int cube_step(double channel) {
    double level = channel * 255;
    return level < 48 ? 0 : level < 115 ? 1 : (int)((level - 35) / 40);
}

static double cube_level(int step) {
    return (step ? 55 + 40 * step : 0) / 255.0;
}

static double distance(Color a, Color b) {
    double red = a.red - b.red;
    double green = a.green - b.green;
    double blue = a.blue - b.blue;
    return red * red + green * green + blue * blue;
}

int palette_terminal(Color color) {
    int red = cube_step(color.red);
    int green = cube_step(color.green);
    int blue = cube_step(color.blue);
    Color cube = {cube_level(red), cube_level(green), cube_level(blue)};
    double mean = (color.red + color.green + color.blue) / 3;
    int step = (int)fmin(fmax(round((mean * 255 - 8) / 10), 0), 23);
    double level = (8 + 10 * step) / 255.0;
    Color grey = {level, level, level};
    if (distance(color, grey) < distance(color, cube)) return 232 + step;
    return 16 + 36 * red + 6 * green + blue;
}

unsigned palette_rgb(Color color) {
    const double channel[] = {color.red, color.green, color.blue};
    unsigned rgb = 0;
    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 | (unsigned)lround(fmin(fmax(channel[c], 0), 1) * 255);
    return rgb;
}

bool palette_is_same(Color one, Color other) {
    return one.red == other.red && one.green == other.green && one.blue == other.blue;
}

Color palette_curve(int i) {
    static const unsigned color[PALETTE_CURVES] = {
        0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x444444};
    return color_of(color[i % PALETTE_CURVES]);
}

/* A color is a mixture of a pure one, white and black. Here the paper replaces the
 * white and the ink replaces the black, so a tint that fades into white paper fades
 * into the dark paper. A color that is far from gray must stay visible, so it gets a
 * minimum brightness. */
static Color on_dark(const Theme *theme, Color color) {
    const double seen = 0.2, far = 0.3;
    double white = fmin(color.red, fmin(color.green, color.blue));
    double black = 1 - fmax(color.red, fmax(color.green, color.blue));
    Color dark = {
        color.red - white + white * theme->paper.red + black * theme->ink.red,
        color.green - white + white * theme->paper.green + black * theme->ink.green,
        color.blue - white + white * theme->paper.blue + black * theme->ink.blue};
    double min = seen * fmin((1 - black - white) / far, 1);
    double is = palette_luminance(dark);
    double lift = is < min ? (min - is) / (palette_luminance(theme->ink) - is) : 0;
    return palette_mix(dark, theme->ink, lift);
}

/* Gray of the same brightness. Pure colors become darker, since thin yellow lines are
 * hardly visible on white. */
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
    [THEME_LIGHT] = {.has_paper = true, LIGHT_PAPER},
    [THEME_DARK] = {.has_paper = true,
                    .turn = on_dark,
                    .paper = {0.11, 0.12, 0.13},
                    .ink = {0.93, 0.93, 0.93},
                    .faint = {0.68, 0.68, 0.68},
                    .hatch = {0.19, 0.20, 0.21},
                    .stroke = {0.44, 0.44, 0.44}},
    [THEME_TRANSPARENT] = {LIGHT_PAPER},
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
    return theme && theme->turn ? theme->turn(theme, color) : color;
}
