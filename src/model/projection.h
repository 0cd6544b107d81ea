/* projection.h - the linear layers at both ends of a box: "Linear" of Figure 2. */
#pragma once

#include "ops/ops.h"

/* x W^T + b, cut into heads: [batch, token, d_model] -> `name` [batch, head, token,
 * d_head], with "`name`_projection" before it. Section 3.2.2. */
Tensor *project_to_heads(Tape *tape, const char *name, const Linear *layer, int heads,
                         Tensor *x);

/* The same with rotary positions: "`name`_rotated" behind it where `base` is not 0, the
 * first token being at position `first`. */
Tensor *project_rotated(Tape *tape, const char *name, const Linear *layer, int heads,
                        Tensor *x, double base, int first);

/* x W^T + b and the curve behind it -> "output"; with a curve the product is called
 * "output_projection". */
Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x);
