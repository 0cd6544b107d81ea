/* formula.h - print what a step computes as a formula. */
#pragma once

#include "tensor/tape.h"

/* Return the formula of `step`, in `arena`. Tensors of the same box are named by their
 * short name, those of the same `place` ("encoder.0") by the rest of their address,
 * others by the full address, and weights as in the paper: W_Q. */
const char *formula_print(const Step *step, const char *place, Arena *arena);
