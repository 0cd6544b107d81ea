/* png.h - pixels as a PNG, fast rather than small. The only home of libpng. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "view/fact.h"

typedef struct {
    const unsigned char *bytes; /* rows of words 0x00RRGGBB */
    int width, height;
    int stride; /* bytes from row to row */
    int scale;  /* pixels along a side for each of 1/96 inch */
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

/* So many pixels of a row as a PNG holds them, red, green and blue, in `to`. */
void png_pack(unsigned char *to, const unsigned char *from, int width);
