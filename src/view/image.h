/* image.h - a canvas for a picture: PNG, SVG or PDF. The only home of Cairo and Pango,
 * which start with the first picture; that takes some tens of milliseconds.
 *
 * A picture is made in memory and reaches the disk whole. The same calls give the same
 * bytes: no date, no name of a machine. */
#pragma once

#include "view/canvas.h"
#include "view/fact.h"
#include "view/png.h"

typedef enum { IMAGE_PNG, IMAGE_SVG, IMAGE_PDF } ImageKind;

/* At most so many pixels a side (Cairo's limit) and in all. */
enum { IMAGE_SIDE_MOST = 32767, IMAGE_PIXELS_MOST = 64 * 1024 * 1024 };

/* A picture whose PNG has `scale` x `scale` pixels for each unit. Until image_close()
 * it holds handles of the libraries; what it measures and draws lives in `arena`. */
Canvas *image_new(Arena *arena, ImageKind kind, int scale);

/* It becomes at least so large; to be said before it begins. */
void image_least(Canvas *canvas, double width, double height);

/* The pixels of what was drawn, of a PNG. They live as long as the picture is open. */
Pixels image_pixels(Canvas *canvas);

/* Write what was drawn to `path`; the facts go into text chunks of the PNG, the
 * <metadata> of the SVG, the subject of the PDF. With `replace` false a file that
 * exists is an error. Call it once. */
bool image_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                Error *error);

/* How many letters were drawn as boxes, since no font here has them; where there are
 * any,
 * `*text` is one that holds some of them. */
int image_missing(const Canvas *canvas, const char **text);

/* Give the handles back. */
void image_close(Canvas *canvas);
