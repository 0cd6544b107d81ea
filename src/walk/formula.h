/* formula.h - what a step of the tape computes, with the names of what it read: "scaled
 * = scores / √16". It follows from what ran, so it is never about another model. */
#pragma once

#include "tensor/tape.h"

/* The formula of `step`, in `arena`. A tensor of the same box is called by its short
 * name, one of the same `place` ("encoder.0") by what stands behind that, one of
 * elsewhere by its address, and a weight as the paper does: W_Q. */
const char *formula_print(const Step *step, const char *place, Arena *arena);
