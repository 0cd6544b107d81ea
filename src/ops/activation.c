#include "ops/activation.h"

#include <stddef.h>

#include "ops/ops.h"

#define NAME(constant, name, run) name,
const char *const activation_names[] = {ACTIVATIONS(NAME) NULL};

#define RUN(constant, name, run) run,
static Tensor *(*const runs[])(Tape *, const char *, Tensor *) = {ACTIVATIONS(RUN)};

Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x) {
    return runs[activation](tape, name, x);
}
