/* apng.h - frames as an animated PNG, which browsers play.
 *
 * The picture that other programs see, and paper, is the last frame, whole; it stands
 * before the frames and is none of them. Each frame holds the part that differs from
 * the one before. Frames stand for their time, the last one longer, and then all begins
 * anew. https://www.w3.org/TR/png-3/ has the chunks acTL, fcTL and fdAT. */
#pragma once

#include "base/error.h"
#include "view/png.h"

/* Frames on their way to a file; all zero but the arena before the first. */
typedef struct {
    Arena *arena;
    PngChunk *chunk; /* fcTL and fdAT of each */
    int chunks, capacity;
    unsigned frames, sequence;
    unsigned char *shown; /* the frame before, as words like Pixels */
    int width, height;
} Apng;

/* Add a frame of the size of those before that stands for `seconds`. */
bool apng_add(Apng *apng, const Pixels *pixels, double seconds, Error *error);

/* Give the file to `sink`: see png_write(). `still` is what stands still. */
bool apng_write(const Apng *apng, const Pixels *still, const Facts *facts,
                PngSink *sink, void *context);
