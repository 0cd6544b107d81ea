#include "model/projection.h"

#include <stdio.h>

#include "ops/ops.h"

Tensor *project_rotated(Tape *tape, const Projection *projection, const char *name) {
    char product[32];
    char rotated[32];
    snprintf(product, sizeof product, "%s_projection", name);
    snprintf(rotated, sizeof rotated, "%s_rotated", name);
    Tensor *y = linear(tape, product, projection->x, projection->layer);
    tensor_name_axis(y, 1, "token");
    y = split_heads(tape, name, y, projection->heads);
    return projection->rotary_base > 0
               ? rotate(tape, rotated, y, projection->rotary_base, projection->first)
               : y;
}

Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x) {
    if (activation == ACTIVATION_NONE) return linear(tape, "output", x, layer);
    Tensor *y = linear(tape, "output_projection", x, layer);
    return activate(tape, "output", activation, y);
}
