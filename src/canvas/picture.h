/* picture.h - pictures, which Cairo draws (image.c, its only home) or we write as text
 * (svg.c, tikz.c). A picture is made in memory and reaches the disk whole. The same
 * calls give the same bytes: no date, no name of a machine. */
#pragma once

#include "base/builder.h"
#include "canvas/letters.h"
#include "canvas/palette.h"
#include "canvas/png.h"

/* At most so many pixels a side (Cairo's limit) and in all. */
enum { IMAGE_SIDE_MOST = 32767, IMAGE_PIXELS_MOST = 64 * 1024 * 1024 };

/* What a picture shall be like. All zero: as it comes, on light paper. */
typedef struct {
    double density;     /* of a PNG: pixels along a side for each unit; 0 is 1 */
    double width;       /* units that the whole is scaled to; 0: it is not scaled */
    double body;        /* units of body text before that; 0: as it comes */
    const char *font;   /* a family that is here, see letters_check(); NULL: any */
    const Theme *theme; /* NULL: light */
} PictureOptions;

typedef struct Picture Picture;

struct Picture {
    Canvas canvas; /* first, so that a Canvas * is also a Picture * */
    PictureOptions options;
    Letters *letters;
    double width, height; /* what was drawn, in units */
    double factor;        /* a unit of the drawing becomes so many of the picture */
    bool is_hatched;      /* some cell is */
    void (*strokes)(Picture *picture, Box box); /* those that hatch a cell */
    bool (*save)(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error);
    void (*close)(Picture *picture); /* NULL: it holds nothing but letters */
    const struct Markup *markup;     /* NULL: it is no text */
    Builder body;                    /* of a text */
};

/* How a picture is written as text, in which letters stay letters. */
typedef struct Markup {
    void (*fill)(Canvas *canvas, Box box, Color color);
    void (*strokes)(Picture *picture, Box box);
    void (*line)(Canvas *canvas, const Point *point, int count, Stroke stroke);
    void (*text)(Canvas *canvas, Point at, Style style, const char *text);
    void (*head)(const Picture *picture, const Facts *facts, Builder *out);
    const char *tail;
    int bytes_most;
} Markup;

/* Fill in what they share: measuring, hatching, metrics, theme. Letters of pixels stand
 * on `whole` ones. */
void picture_start(Picture *picture, Arena *arena, const PictureOptions *options,
                   bool whole);

/* A picture that is written as `markup` says, in `arena`. */
Canvas *picture_of_text(Arena *arena, const PictureOptions *options,
                        const Markup *markup);

/* Where such a picture is written. NULL where it is too large, which saving refuses. */
Builder *picture_body(Canvas *canvas);

/* Take the size of the drawing, which begins; `density` is of pixels, or 1. Fails where
 * the picture would be too large. */
bool picture_size(Picture *picture, double width, double height, double density,
                  Error *error);

/* The run of a text that is drawn now, and where its left end lies from its point. */
const TextRun *picture_run(Picture *picture, Style style, const char *text,
                           double *left);

/* The colour of a text on this paper. */
Color picture_ink(const Picture *picture, Style style);

/* Write what was drawn to `path`, with the facts in it. With `replace` false a file
 * that exists is an error. Call it once. */
bool picture_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                  Error *error);

/* Give back what it holds of the libraries. */
void picture_close(Canvas *canvas);

typedef enum { IMAGE_PNG, IMAGE_SVG, IMAGE_PDF } ImageKind;

/* A picture that Cairo draws: an SVG has outlines for letters. The facts go into text
 * chunks of the PNG, the <metadata> of the SVG, the subject of the PDF. Until
 * picture_close() it holds handles of the library; what it draws lives in `arena`. */
Canvas *image_new(Arena *arena, ImageKind kind, const PictureOptions *options);

/* It becomes at least so large, in units; to be said before it begins. */
void image_least(Canvas *canvas, double width, double height);

/* The pixels of a PNG, to which nothing is added any more. They live as long as the
 * picture is open; without bytes where there was no memory. */
Pixels image_pixels(Canvas *canvas);

/* What is added behind the `count` bytes of a finished PDF whose page is one figure:
 * title and description as its alternative text, and `language` ("ko"), which
 * Cairo 1.16 cannot write; in `arena`. "" behind a file that Cairo built otherwise. */
const char *image_pdf_update(const char *bytes, int count, const Facts *facts,
                             const char *language, Arena *arena);

/* A picture written as SVG: boxes, lines, and text that can be searched and edited, in
 * the families that are asked for by name; no scripts. */
Canvas *svg_new(Arena *arena, const PictureOptions *options);

/* A number in an SVG, with at most so many decimals, and none that are 0. */
typedef struct {
    char text[32];
} NumberText;
NumberText svg_number(double number, int decimals);

/* `text` inside an element or an attribute of XML, or of HTML, in `arena`. */
const char *xml_escape(const char *text, Arena *arena);
const char *html_escape(const char *text, Arena *arena);

/* The `svg` that Cairo wrote, with title and facts as its <title> and <metadata> and
 * without the number that differs from picture to picture, in `arena`; NULL if it is no
 * SVG. */
char *svg_add_facts(const char *svg, const Facts *facts, Arena *arena);

/* A picture written as TikZ, in the letters of the text around it: each text is placed
 * by its start, middle or end, so that other fonts fit as well. */
Canvas *tikz_new(Arena *arena, const PictureOptions *options);
