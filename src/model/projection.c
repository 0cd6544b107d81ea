#include "model/projection.h"

#include <stdio.h>

Tensor *project_to_heads(Tape *tape, const char *name, const Linear *layer, int heads,
                         Tensor *x) {
    char product[32];
    snprintf(product, sizeof product, "%s_projection", name);
    Tensor *y = linear(tape, product, x, layer);
    tensor_name_axis(y, 1, "token");
    return split_heads(tape, name, y, heads);
}

Tensor *project_output(Tape *tape, const Linear *layer, Activation activation,
                       Tensor *x) {
    if (activation == ACTIVATION_NONE) return linear(tape, "output", x, layer);
    Tensor *y = linear(tape, "output_projection", x, layer);
    return activate(tape, "output", activation, y);
}
