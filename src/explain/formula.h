/* formula.h - what a step computes, as a formula. */
#pragma once

#include "tensor/tape.h"

/* The formula of `step`, in `arena`. A tensor of the same box is called by its short
 * name, one of the same `place` ("encoder.0") by what follows that, one of
 * elsewhere by its address, and a weight as the paper does: W_Q. */
const char *formula_print(const Step *step, const char *place, Arena *arena);
