/* picture.h - pictures, drawn by Cairo (image.c, the only module that uses it) or
 * written as text (svg.c, tikz.c). A picture is made in memory and saved as a whole.
 * The same calls give the same bytes: no date, no host name. */
#pragma once

#include "base/builder.h"
#include "canvas/letters.h"
#include "canvas/palette.h"
#include "canvas/png.h"

/* Maximum pixels per side (Cairo's limit) and in total. */
enum { IMAGE_SIDE_MAX = 32767, IMAGE_PIXELS_MAX = 64 * 1024 * 1024 };

/* Options of a picture. All zero: default size, on light paper. */
typedef struct {
    double density;     /* PNG: pixels per unit along a side; 0 means 1 */
    double width;       /* scale the picture to this many units; 0: do not scale */
    double min;         /* minimum width before scaling; 0: none */
    double body;        /* height of body text in units, before scaling; 0: default */
    Room room;          /* how far letters may widen the page */
    const char *font;   /* an installed family, see letters_check(); NULL: any */
    const Theme *theme; /* NULL: light */
} PictureOptions;

typedef struct Picture Picture;

struct Picture {
    Canvas canvas; /* first, so that a Canvas * is also a Picture * */
    PictureOptions options;
    Letters *letters;
    double width, height; /* of the drawing, in units */
    double factor;        /* size of a unit of the drawing in units of the picture */
    bool is_hatched;      /* some cell is hatched */
    void (*strokes)(Picture *picture, Box box); /* hatches a cell */
    bool (*save)(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error);
    void (*close)(Picture *picture); /* NULL: it holds only letters */
    const struct Markup *markup;     /* NULL: not a picture written as text */
    Builder body;                    /* the text, if it is a picture written as text */
};

/* How a picture is written as text, in which letters remain letters. */
typedef struct Markup {
    void (*fill)(Canvas *canvas, Box box, Color color);
    void (*strokes)(Picture *picture, Box box);
    void (*line)(Canvas *canvas, const Point *point, int count, Stroke stroke);
    void (*text)(Canvas *canvas, Point at, Style style, const char *text);
    void (*head)(const Picture *picture, const Facts *facts, Builder *out);
    const char *tail;
    int bytes_max;
} Markup;

/* Initialize the common parts: measuring, hatching, metrics, theme. `whole`: place
 * letters at whole units, for pixels. */
void picture_start(Picture *picture, Arena *arena, const PictureOptions *options,
                   bool whole);

/* Return a picture written by `markup`, in `arena`. */
Canvas *picture_of_text(Arena *arena, const PictureOptions *options,
                        const Markup *markup);

/* Return where to write such a picture; NULL if too large, and then saving fails. */
Builder *picture_body(Canvas *canvas);

/* Set the size of the drawing when it begins; `density` is pixels per unit, or 1. Fails
 * if the picture would be too large. */
bool picture_size(Picture *picture, double width, double height, double density,
                  Error *error);

/* Return the run of a text for drawing, and the distance from its point to its left
 * end. */
const TextRun *picture_run(Picture *picture, Style style, const char *text,
                           double *left);

/* Return the color of a text on this paper. */
Color picture_ink(const Picture *picture, Style style);

/* Write the picture with the facts to `path`. With `replace` false, an existing file is
 * an error. Call it once. */
bool picture_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                  Error *error);

/* Release its library handles. */
void picture_close(Canvas *canvas);

typedef enum { IMAGE_PNG, IMAGE_SVG, IMAGE_PDF } ImageKind;

/* Return a picture that Cairo draws; an SVG has outlines instead of letters. The facts
 * go into text chunks of a PNG, the <metadata> of an SVG, the subject of a PDF. Until
 * picture_close() it holds library handles; its data is in `arena`. */
Canvas *image_new(Arena *arena, ImageKind kind, const PictureOptions *options);

/* Set a minimum size, in units, before it begins. */
void image_min(Canvas *canvas, double width, double height);

/* Return the pixels of a finished PNG. They live as long as the picture is open. They
 * have no bytes if memory ran out. */
Pixels image_pixels(Canvas *canvas);

/* Return what to append to the `count` bytes of a finished PDF whose page is one
 * figure: title and description as its alternative text, and `language` ("ko"), which
 * Cairo 1.16 cannot write; allocated in `arena`. "" if the structure of the file is not
 * as expected. */
const char *image_pdf_update(const char *bytes, int count, const Facts *facts,
                             const char *language, Arena *arena);

/* Return a picture written as SVG: boxes, lines, and text that can be searched and
 * edited, in families requested by name; no scripts. */
Canvas *svg_new(Arena *arena, const PictureOptions *options);

/* A number in an SVG, with a limited number of decimals and no trailing zeros. */
typedef struct {
    char text[32];
} NumberText;
NumberText svg_number(double number, int decimals);

/* Escape `text` for an element or an attribute of XML, or of HTML, in `arena`. */
const char *xml_escape(const char *text, Arena *arena);
const char *html_escape(const char *text, Arena *arena);

/* Add title and facts to the `svg` that Cairo wrote, as <title> and <metadata>, and
 * remove the number that differs between pictures; allocated in `arena`. NULL if it is
 * not an SVG. */
char *svg_add_facts(const char *svg, const Facts *facts, Arena *arena);

/* Return a picture written as TikZ, in the font of the surrounding text: each text is
 * placed by its start, middle or end, so that other fonts also fit. */
Canvas *tikz_new(Arena *arena, const PictureOptions *options);
