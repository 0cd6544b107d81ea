/* canvas.h - what a figure is drawn on: a few verbs, and the sizes that a layout needs.
 *
 * A canvas is a grid of character cells or a picture (picture.h). Lengths are cells
 * there and pixels here; a layout measures in `metrics`, so that one piece of code
 * draws both. Before begin() only measure() may be called: the layout finds out the
 * size. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

/* A unit of a picture is 1/96 inch, the pixel of a page of the web. */
enum { UNITS_PER_INCH = 96, POINTS_PER_INCH = 72 };

typedef struct {
    double red, green, blue; /* 0 to 1, sRGB */
} Color;

typedef struct {
    double x, y;
} Point;

typedef struct {
    double x, y, width, height;
} Box;

typedef enum { ALIGN_START, ALIGN_MIDDLE, ALIGN_END } Align;

/* How a text stands. All zero: body text, level, starting at the point. */
typedef struct {
    const Color *color; /* NULL: the canvas's ink, on a terminal its own foreground */
    Align align;        /* which part of the text lies at the point */
    double angle; /* degrees, counter-clockwise; a grid stacks letters downwards: above
                     the point, or with ALIGN_END below it */
    double size;  /* times the body size; 0 is 1 */
    bool bold, faint;
} Style;

/* How many kinds of dashes there are. */
enum { STROKE_DASHES = 5 };

/* How long each kind is on and off, twice, in units of a picture. */
extern const double stroke_dashes[STROKE_DASHES][4];

/* How a line looks; a grid without colours writes `mark`, or rules of its own. */
typedef struct {
    Color color;
    double width;
    int dash;         /* below STROKE_DASHES; 0: unbroken */
    const char *mark; /* one letter for a curve; NULL: a rule, level or upright */
} Stroke;

typedef struct {
    double line;     /* height of a line of body text */
    double letter;   /* width of a digit */
    double gap;      /* between things that stand apart */
    double margin;   /* around the figure */
    double most;     /* how wide the figure may be; 0: as wide as it needs */
    bool characters; /* a grid: one size of letters, no slopes */
    bool colors;     /* fill() shows; if not, letters must carry the value */
} Metrics;

typedef struct Canvas Canvas;

struct Canvas {
    Metrics metrics;
    Arena *arena;              /* of what layouts and drawings need */
    const struct Theme *theme; /* see palette.h; of a picture: line() follows it */
    /* Fails when the figure would be too large. */
    bool (*begin)(Canvas *canvas, double width, double height, Error *error);
    void (*fill)(Canvas *canvas, Box box, Color color);
    /* Grey with strokes: a cell that has no value to show. */
    void (*hatch)(Canvas *canvas, Box box);
    void (*line)(Canvas *canvas, const Point *point, int count, Stroke stroke);
    /* `text` without controls; its middle line passes through `at`. */
    void (*text)(Canvas *canvas, Point at, Style style, const char *text);
    /* The cells of a matrix, so many, fill the box. NULL: nobody asks. */
    void (*cells)(Canvas *canvas, Box box, int rows, int columns);
    double (*measure)(Canvas *canvas, Style style, const char *text);
};

/* A closed frame whose corners are those of `box`. Its last line goes `beyond` its end,
 * which fills the corner of a line with flat ends. */
void canvas_outline(Canvas *canvas, Box box, double beyond, Stroke stroke);

/* The width of the widest of the texts. */
double canvas_widest(Canvas *canvas, Style style, const char *const *text, int count);

/* What a figure says about itself: "sentence" is "나는 학생", "seed" is "7". The same
 * list is the footer and the metadata of the file. */
typedef struct {
    const char *name;  /* ASCII letters, at most 79 */
    const char *value; /* without controls */
} Fact;

/* All that one figure says. */
typedef struct {
    const char *title;
    const Fact *fact;
    int count;
    const char *description; /* what it shows, for those who hear it; NULL: nothing */
} Facts;

/* The words along an axis: level where they fit, sloping or upright where they would
 * touch, every second or fifth where even that is too much. */
typedef struct {
    const char *const *text;
    int count;
    double pitch; /* from one to the next */
    int step;     /* every step-th is shown */
    Style style;
    double extent; /* how much room they take across the axis */
    double hang;   /* which part of its length a sloping label reaches to its left */
    bool below;    /* the axis: they stand under it; if not, above */
} Labels;

/* How `count` labels stand along a level axis. `words` may turn; numbers, of which a
 * few are enough, never do. `below` is the side of the axis. */
Labels labels_across(Canvas *canvas, const char *const *text, int count, double pitch,
                     bool words, bool below);

/* How they stand in front of an upright axis. */
Labels labels_down(Canvas *canvas, const char *const *text, int count, double pitch);

/* Draw them; `at` is the edge of the axis at the middle of the first one. */
void labels_draw_across(const Labels *labels, Canvas *canvas, Point at);
void labels_draw_down(const Labels *labels, Canvas *canvas, Point at);

/* `texts` cut to `cells` letters of single width, in `arena`. */
const char **labels_cut(const char *const *text, int count, int cells, Arena *arena);

/* The same cut to `letters` of any width. */
const char **labels_shorten(const char *const *text, int count, int letters,
                            Arena *arena);

typedef enum { COLORS_NONE, COLORS_256, COLORS_TRUE } Colors;

/* 1000 columns of 4000 lines, for which 200 MB are needed. */
enum { GRID_CELLS_MOST = 4 * 1000 * 1000 };

/* A canvas of character cells in `arena`, at most `most` in width. Hangul takes two.
 * Without colours fill() shows nothing and a curve is drawn with its mark; with them a
 * curve is drawn in Braille dots. */
Canvas *grid_new(Arena *arena, int most, Colors colors);

/* Its lines, each with '\n', without spaces at the end, in `arena`; "" before begin().
 */
const char *grid_text(const Canvas *canvas, Arena *arena);
