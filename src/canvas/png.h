/* png.h - pixels as a PNG, fast rather than small, still or animated. The only module
 * that uses libpng.
 *
 * In an animated PNG, the picture that other programs and printers see is the complete
 * last frame; it is stored before the frames and is not one of them. Each frame stores
 * the part that differs from the one before. Each is shown for its own time, the last
 * one for longer, and then the animation repeats. The chunks acTL, fcTL and fdAT are
 * specified at https://www.w3.org/TR/png-3/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "canvas/canvas.h"

typedef struct {
    const unsigned char *bytes; /* rows of 0xAARRGGBB, premultiplied by AA */
    int width, height;
    int stride;     /* bytes from row to row */
    double density; /* pixels per unit of 1/96 inch along a side */
    bool has_alpha; /* if not, AA has no meaning, and the picture is opaque */
} Pixels;

/* A chunk of the file, with its name: "acTL". */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} PngChunk;

/* The chunks before the pixels, and after them. */
typedef struct {
    const PngChunk *before, *after;
    int befores, behinds;
} PngChunks;

/* Takes `count` bytes of the file; false: stop writing. */
typedef bool PngSink(void *context, const unsigned char *bytes, size_t count);

/* Pass the file to `sink` piece by piece, with title and facts as text chunks (iTXt,
 * UTF-8), and `chunks` unless NULL. False if the sink refused or memory ran out. */
bool png_write(const Pixels *pixels, const Facts *facts, const PngChunks *chunks,
               PngSink *sink, void *context, Arena *arena);

/* The frames so far; before the first, all zero except the arena. */
typedef struct {
    Arena *arena;
    PngChunk *chunk; /* fcTL and fdAT of each frame */
    int chunks, capacity;
    unsigned frames, sequence;
    unsigned char *shown; /* the previous frame, as words like Pixels */
    int width, height;
} Apng;

/* Add a frame of the same size as the previous ones, shown for `seconds`. */
bool apng_add(Apng *apng, const Pixels *pixels, double seconds, Error *error);

/* Pass the file to `sink`: see png_write(). `still` is the picture without
 * animation. */
bool apng_write(const Apng *apng, const Pixels *still, const Facts *facts,
                PngSink *sink, void *context);
