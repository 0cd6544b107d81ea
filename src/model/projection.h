/* projection.h - the linear layers at both ends of a box: "Linear" of Figure 2. */
#pragma once

#include "ops/parameters.h"
#include "tensor/tape.h"

/* How queries, keys or values are computed. */
typedef struct {
    const char *name; /* "query", "key" or "value" */
    const Linear *layer;
    int heads;
    double rotary_base; /* 0: no rotation */
    int first;          /* position of the first token of x */
    Tensor *x; /* [batch, token, d_model]; for keys and values, only the new tokens */
    const Tensor *padding; /* [batch, key]: of all keys, with their labels */
} Projection;

/* x W^T + b, split into heads: [batch, token, d_model] -> `name` [batch, head, token,
 * d_head], with "`name`_projection" before it, and "`name`_rotated" after it if there
 * are rotary position embeddings. Section 3.2.2. */
Tensor *project_rotated(Tape *tape, const Projection *projection, const char *name);

/* x W^T + b, followed by the activation -> "output"; with an activation the product is
 * "output_projection". */
Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x);
