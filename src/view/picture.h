/* picture.h - what all pictures have in common, whoever writes them: Cairo (image.h),
 * or we ourselves (svg.h, tikz.h). A picture is made in memory and reaches the disk
 * whole. The same calls give the same bytes: no date, no name of a machine. */
#pragma once

#include "view/fact.h"
#include "view/letters.h"
#include "view/theme.h"

/* At most so many pixels a side (Cairo's limit) and in all. */
enum { IMAGE_SIDE_MOST = 32767, IMAGE_PIXELS_MOST = 64 * 1024 * 1024 };

/* What a picture shall be like. All zero: as it comes, on light paper. */
typedef struct {
    double density;     /* of a PNG: pixels along a side for each unit; 0 is 1 */
    double width;       /* units that the whole is scaled to; 0: it is not scaled */
    double body;        /* units of body text before that; 0: as it comes */
    const char *font;   /* a family that is here, see letters_check(); NULL: any */
    const Theme *theme; /* NULL: light */
} PictureWish;

typedef struct Picture Picture;

struct Picture {
    Canvas canvas; /* first, so that a Canvas * is also a Picture * */
    Arena *arena;
    PictureWish wish;
    Letters *letters;
    bool spells;          /* letters are written, and drawn by whoever shows them */
    double width, height; /* what was drawn, in units */
    double factor;        /* a unit of the drawing becomes so many of the picture */
    bool (*save)(Picture *picture, const char *path, bool replace, const Facts *facts,
                 Error *error);
    void (*close)(Picture *picture); /* NULL: it holds nothing but letters */
};

/* Fill in what they share: measuring, metrics, theme. Letters of pixels stand on
 * `whole` ones. */
void picture_start(Picture *picture, Arena *arena, const PictureWish *wish, bool whole);

/* Take the size of the drawing, which begins; `density` is of pixels, or 1. Fails where
 * the picture would be too large. */
bool picture_size(Picture *picture, double width, double height, double density,
                  Error *error);

/* The run of a text that is drawn now, and where its left end lies from its point. */
const TextRun *picture_run(Picture *picture, Style style, const char *text,
                           double *left);

/* The colour of a text on this paper. */
Color picture_ink(const Picture *picture, Style style);

/* The colour of a line, or of the paper of a box, here. */
Color picture_color(const Picture *picture, Color color);

/* Write what was drawn to `path`, with the facts in it. With `replace` false a file
 * that exists is an error. Call it once. */
bool picture_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                  Error *error);

/* How many letters no font here has; where there are any, `*text` holds some. */
int picture_missing(const Canvas *canvas, const char **text);

/* Are letters written, and drawn in the fonts of whoever shows them? */
bool picture_spells(const Canvas *canvas);

/* Give back what it holds of the libraries. */
void picture_close(Canvas *canvas);
