/* projection.h - the linear layers at both ends of a box: "Linear" of Figure 2. */
#pragma once

#include "ops/parameters.h"
#include "tensor/tape.h"

/* What queries, keys or values are made of. */
typedef struct {
    const char *name; /* "query", "key" or "value" */
    const Linear *layer;
    int heads;
    double rotary_base; /* 0: not turned */
    int first;          /* position of the first token of x */
    Tensor *x;          /* [batch, token, d_model]; of keys and values the new ones */
    const Tensor *padding; /* [batch, key]: of all keys, whose words it knows */
} Projection;

/* x W^T + b, cut into heads: [batch, token, d_model] -> `name` [batch, head, token,
 * d_head], with "`name`_projection" before it, and "`name`_rotated" after it if there
 * are rotary positions. Section 3.2.2. */
Tensor *project_rotated(Tape *tape, const Projection *made, const char *name);

/* x W^T + b and the curve behind it -> "output"; with a curve the product is called
 * "output_projection". */
Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x);
