/* drawing_calls.h - see canvas/drawing.h. */
#pragma once

#include "canvas/drawing.h"

#include "canvas.calls.inc"
