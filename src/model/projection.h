/* projection.h - the linear layers at both ends of a box: "Linear" of Figure 2. */
#pragma once

#include "ops/parameters.h"
#include "tensor/tape.h"

/* x W^T + b, cut into heads: [batch, token, d_model] -> `name` [batch, head, token,
 * d_head], with "`name`_projection" before it. Section 3.2.2. */
Tensor *project_to_heads(Tape *tape, const char *name, const Linear *layer, int heads,
                         Tensor *x);

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

/* The same, called `name`, with rotary positions: "`name`_rotated" behind it where they
 * are turned. */
Tensor *project_rotated(Tape *tape, const Projection *made, const char *name);

/* x W^T + b and the curve behind it -> "output"; with a curve the product is called
 * "output_projection". */
Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x);
