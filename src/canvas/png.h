/* png.h - pixels as a PNG, fast rather than small, still or moving. The only home of
 * libpng.
 *
 * Of an animated PNG the picture that other programs see, and paper, is the last frame,
 * whole; it is before the frames and is none of them. Each frame holds the part
 * that differs from the one before. Frames stand for their time, the last one longer,
 * and then all begins anew. https://www.w3.org/TR/png-3/ has the chunks acTL, fcTL and
 * fdAT. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "canvas/canvas.h"

typedef struct {
    const unsigned char *bytes; /* rows of words 0xAARRGGBB, colours times AA */
    int width, height;
    int stride;     /* bytes from row to row */
    double density; /* pixels along a side for each of 1/96 inch */
    bool has_alpha; /* if not, AA says nothing, and the picture is opaque */
} Pixels;

/* A part of the file by its name, "acTL". */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} PngChunk;

/* What is before the pixels, and behind them. */
typedef struct {
    const PngChunk *before, *behind;
    int befores, behinds;
} PngChunks;

/* Takes `count` bytes of the file; false: no more, please. */
typedef bool PngSink(void *context, const unsigned char *bytes, size_t count);

/* Give the file to `sink` piece by piece, with title and facts as text chunks (iTXt,
 * UTF-8), and with the chunks, NULL for none. False if the sink refused or memory ran
 * out.
 */
bool png_write(const Pixels *pixels, const Facts *facts, const PngChunks *chunks,
               PngSink *sink, void *context, Arena *arena);

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
