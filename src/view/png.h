/* png.h - pixels as a PNG, fast rather than small. The only home of libpng. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "view/fact.h"

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

/* What stands before the pixels, and behind them. */
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

/* How many bytes a PNG holds of each of the pixels: red, green, blue, perhaps alpha. */
int png_bytes(const Pixels *pixels);

/* `count` pixels of a row, from one on, as a PNG holds them, in `to`. */
void png_pack(const Pixels *pixels, int row, int from, int count, unsigned char *to);
