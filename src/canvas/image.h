/* image.h - a picture that Cairo draws: PNG, PDF, or an SVG whose letters are outlines.
 * The only home of Cairo.
 *
 * A unit is 1/96 inch in each of them, so that they are equally large on paper. */
#pragma once

#include "canvas/picture.h"
#include "canvas/png.h"

typedef enum { IMAGE_PNG, IMAGE_SVG, IMAGE_PDF } ImageKind;

/* A picture; the facts go into text chunks of the PNG, the <metadata> of the SVG, the
 * subject of the PDF. Until picture_close() it holds handles of the library; what it
 * draws lives in `arena`. */
Canvas *image_new(Arena *arena, ImageKind kind, const PictureOptions *options);

/* It becomes at least so large, in units; to be said before it begins. */
void image_least(Canvas *canvas, double width, double height);

/* The pixels of what was drawn, of a PNG, to which nothing is added any more. They live
 * as long as the picture is open; without bytes where there was no memory. */
Pixels image_pixels(Canvas *canvas);

/* What follows behind the `count` bytes of a PDF in which one element is a Figure: its
 * alternative text, for those who hear it, which is title and description, and
 * `language` ("ko") as that of all words; in `arena`. "" behind a file that is not
 * built as Cairo 1.16 does, which marks a page as a document with a figure, but takes
 * no words that stand for it, and no language. So these are added to the finished file,
 * as any program updates a PDF: the changed objects are behind its end, with a table
 * of their own. Titles, axes and notes are no paragraphs of their own: the page is one
 * figure. */
const char *image_pdf_update(const char *bytes, int count, const Facts *facts,
                             const char *language, Arena *arena);
