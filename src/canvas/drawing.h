/* drawing.h - Cairo and Pango, the libraries that draw, loaded with the first picture:
 * with them a start of the program takes twice as long. If canvas/drawing_calls.h is
 * included, too, the names of their functions mean the pointers of `drawing`. */
#pragma once

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>

#include "base/error.h"

/* make lists in canvas.calls.inc, as CALL(NAME), each function that canvas/ calls. */
#define CALL(name) __typeof__(name) *(name);
typedef struct {
#include "canvas.calls.inc"
} Drawing;
#undef CALL

extern Drawing drawing;

/* Load them, the first time. Fails, each time, if that is not possible. */
bool drawing_load(Error *error);
