/* animation.h - the frames of a figure that moves, up to the last, which is the figure
 * itself. All are as large as the largest. */
#pragma once

#include "view/figure.h"
#include "view/picture.h"
#include "view/png.h"

/* So many frames are enough to see how something grows. */
enum { FRAMES_MOST = 120 };

/* Frames in which the `rows` rows, or points, of a figure come one after the other, or
 * several at a time where there are more than FRAMES_MOST; `*count` of them, in
 * `arena`. */
const Frame *animation_growing(int rows, Arena *arena, int *count);

/* Seconds for which a frame stands: as the figure says, or so that all of them take
 * about eight; and how much longer the last one does. */
double animation_delay(const Figure *figure);
extern const double animation_rest;

/* Draw the frames, without the last, into `apng` as pictures of that wish; `*least`
 * becomes the size of them all, of which the last must be, too. */
bool animation_draw(const Figure *figure, const PictureWish *wish, Arena *arena,
                    Apng *apng, Box *least, Error *error);
