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

/* Takes `count` bytes of the file; false: no more, please. */
typedef bool PngSink(void *context, const unsigned char *bytes, size_t count);

/* Give the file to `sink` piece by piece, with title and facts as text chunks (iTXt,
 * UTF-8). False if the sink refused or memory ran out. */
bool png_write(const Pixels *pixels, const Facts *facts, PngSink *sink, void *context,
               Arena *arena);
