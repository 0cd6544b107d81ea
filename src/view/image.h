/* image.h - a picture that Cairo draws: PNG, PDF, or an SVG whose letters are outlines.
 * The only home of Cairo.
 *
 * A unit is 1/96 inch in each of them, so that they are equally large on paper. */
#pragma once

#include "view/picture.h"

typedef enum { IMAGE_PNG, IMAGE_SVG, IMAGE_PDF } ImageKind;

/* A picture; the facts go into text chunks of the PNG, the <metadata> of the SVG, the
 * subject of the PDF. Until picture_close() it holds handles of the library; what it
 * draws lives in `arena`. */
Canvas *image_new(Arena *arena, ImageKind kind, const PictureWish *wish);
