/* formula.h - print what a step computes as a formula. */
#pragma once

#include "tensor/tape.h"

/* Return the formula of `step`, in `arena`. Tensors of the same box have their short
 * name, those of the same `place` ("encoder.0") the rest of their address, others the
 * full address, and weights the name in the paper: W_Q. */
const char *formula_print(const Step *step, const char *place, Arena *arena);
