/* canvas.h - the surface that figures are drawn on: a few drawing functions, and the
 * sizes that a layout needs.
 *
 * A canvas is a grid of character cells or a picture (picture.h). Lengths are in cells
 * or in pixels. A layout uses the sizes in `metrics`, so the same code draws both.
 * Before begin() only measure() may be called, to compute the size. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "canvas/look.h"

/* The unit of a picture is 1/96 inch, a CSS pixel. */
enum { UNITS_PER_INCH = 96, POINTS_PER_INCH = 72 };

/* Default height of body text and distance between lines, in units. */
enum { LETTERS_BODY = 13, LETTERS_LINE = 19 };

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

/* How text is drawn. All zero: body text, level, starting at the point. */
typedef struct {
    const Color *color; /* NULL: ink; on a terminal its default foreground */
    Align align;        /* which part of the text is at the point */
    double angle; /* degrees, counterclockwise; a grid stacks letters downward: above
                     the point, or with ALIGN_END below it */
    double size;  /* relative to the body size; 0 means 1 */
    bool bold, faint;
} Style;

/* The number of dash patterns. */
enum { STROKE_DASHES = 5 };

/* The lengths of each pattern, on, off, on, off, in units of a picture. */
extern const double stroke_dashes[STROKE_DASHES][4];

/* How a line looks. A grid without colors draws it with `mark`, or with line
 * characters. */
typedef struct {
    Color color;
    double width;
    int dash;         /* below STROKE_DASHES; 0: solid */
    const char *mark; /* one letter for a curve; NULL: a horizontal or vertical rule */
} Stroke;

/* How far large letters may widen a page: as far as they need; without its title and
 * facts, which get more lines; or without the cells either, so that their numbers and
 * some labels may be left out. */
typedef enum { ROOM_FULL, ROOM_LINES, ROOM_SHORT } Room;

typedef struct {
    double line;   /* height of a line of body text */
    double letter; /* width of a digit */
    double gap;    /* between separate parts */
    double margin; /* around the figure */
    double max;    /* maximum width of the figure; 0: unlimited */
    double min;    /* minimum width of the page */
    Room room;
    bool characters; /* a grid: one size of letters, no sloping text */
    bool colors;     /* fill() is visible; if not, letters must show the value */
} Metrics;

typedef struct Canvas Canvas;

struct Canvas {
    Metrics metrics;
    Arena *arena;              /* for everything that layouts and drawings allocate */
    const struct Theme *theme; /* see palette.h; a picture's line() applies it */
    /* Fails if the figure would be too large. */
    bool (*begin)(Canvas *canvas, double width, double height, Error *error);
    void (*fill)(Canvas *canvas, Box box, Color color);
    /* Fill with gray and strokes: a cell without a value. */
    void (*hatch)(Canvas *canvas, Box box);
    void (*line)(Canvas *canvas, const Point *point, int count, Stroke stroke);
    /* Draw `text`, which has no control characters; `at` is on its middle line. */
    void (*text)(Canvas *canvas, Point at, Style style, const char *text);
    /* Report that the box holds a matrix of this size. NULL: not used. */
    void (*cells)(Canvas *canvas, Box box, int rows, int columns);
    double (*measure)(Canvas *canvas, Style style, const char *text);
};

/* Draw a closed frame with the corners of `box`. The last line extends `beyond` its
 * end, to fill the corner between lines with flat ends. */
void canvas_outline(Canvas *canvas, Box box, double beyond, Stroke stroke);

/* Return how many times larger than by default the letters are, at least 1: a layout
 * enlarges by it what must hold a line of letters. */
double canvas_growth(const Canvas *canvas);

/* Return the width of the widest text. */
double canvas_widest(Canvas *canvas, Style style, const char *const *text, int count);

/* Metadata of a figure: "sentence" is "나는 학생", "seed" is "7". The same list is used
 * for the footer and for the metadata of the file. */
typedef struct {
    const char *name;  /* ASCII letters, at most 79 */
    const char *value; /* without control characters */
} Fact;

/* All metadata of a figure. */
typedef struct {
    const char *title;
    const Fact *fact;
    int count;
    const char *description; /* a description for screen readers; or NULL */
} Facts;

/* The labels along an axis: level if they fit, sloping or vertical if they would touch,
 * and only every second or fifth if that is not enough. */
typedef struct {
    const char *const *text;
    int count;
    double pitch; /* distance between neighbors */
    int step;     /* every step-th is shown */
    Style style;
    double extent; /* space needed across the axis */
    double hang;   /* fraction of its length that a sloping label reaches to its left */
    bool below;    /* true: they are below the axis; false: above */
} Labels;

/* Lay out `count` labels along a horizontal axis, below it if `below`. `words` may be
 * rotated; numbers are not, because a few are enough. */
Labels labels_across(Canvas *canvas, const char *const *text, int count, double pitch,
                     bool words, bool below);

/* Lay out labels to the left of a vertical axis. */
Labels labels_down(Canvas *canvas, const char *const *text, int count, double pitch);

/* Draw them; `at` is the edge of the axis at the middle of the first label. */
void labels_draw_across(const Labels *labels, Canvas *canvas, Point at);
void labels_draw_down(const Labels *labels, Canvas *canvas, Point at);

/* Return `texts` cut to `cells` terminal cells, in `arena`. */
const char **labels_cut(const char *const *text, int count, int cells, Arena *arena);

/* Return `texts` cut to `letters` letters of any width. */
const char **labels_shorten(const char *const *text, int count, int letters,
                            Arena *arena);

/* 4000 lines of 1000 columns, which need 200 MB. */
enum { GRID_CELLS_MAX = 4 * 1000 * 1000 };

/* Return a canvas of character cells in `arena`, at most `max` wide. A Hangul syllable
 * takes two cells. Without colors fill() has no effect and a curve is drawn with its
 * mark; with colors a curve is drawn in Braille dots. */
Canvas *grid_new(Arena *arena, int max, Colors colors);

/* Append its lines, each ending with '\n', without trailing spaces; none before
 * begin().
 */
void grid_write(const Canvas *canvas, Styled *lines);
