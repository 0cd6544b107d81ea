/* activation.h - the curve behind a linear layer, by the name it has in config.json.
 *
 * A new one is an operation of its own and a row here. */
#pragma once

#include "tensor/tape.h"

/* What the program and config.json call it, and the operation: none leaves x alone. */
#define ACTIVATIONS(ROW)                                                               \
    ROW(NONE, "none", tape_alias)                                                      \
    ROW(RELU, "relu", relu)                                                            \
    ROW(GELU, "gelu", gelu)

#define ACTIVATION_CONSTANT(constant, name, run) ACTIVATION_##constant,
typedef enum { ACTIVATIONS(ACTIVATION_CONSTANT) } Activation;
#undef ACTIVATION_CONSTANT

/* Their names, ending with NULL. */
extern const char *const activation_names[];

/* The curve through every number of x; for "none" a second name of x. */
Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x);
