/* activation.h - the curve behind a linear layer, by the name it has in config.json,
 * which is that of its operation. */
#pragma once

#include "tensor/tape.h"

/* Every one but "none". A new one is an operation's file and its name here. */
#define ACTIVATIONS(row) row(relu) row(gelu) row(silu)

/* The place of its name among these, which begin with "none" and end with NULL. */
typedef int Activation;
enum { ACTIVATION_NONE };
extern const char *const activation_names[];

/* The curve through every number of x; for "none" a second name of x. */
Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x);
