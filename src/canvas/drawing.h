/* drawing.h - Cairo and Pango, loaded when the first picture is drawn, because loading
 * them doubles the program's startup time. If canvas/drawing_calls.h is also included,
 * the names of their functions refer to the pointers in `drawing`. */
#pragma once

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>

#include "base/error.h"

/* `make` writes each function that canvas/ calls to canvas.calls.inc, as CALL(NAME). */
#define CALL(name) __typeof__(name) *(name);
typedef struct {
#include "canvas.calls.inc"
} Drawing;
#undef CALL

extern Drawing drawing;

/* Load them on the first call. Fails, on every call, if that is not possible. */
bool drawing_load(Error *error);
