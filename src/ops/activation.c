#include "ops/activation.h"

#include <stddef.h>

#include "ops/ops.h"

#define NAME(name) #name,
const char *const activation_names[] = {"none", ACTIVATIONS(NAME) NULL};

#define RECORD(name) &op_##name,
static const Op *const records[] = {NULL, ACTIVATIONS(RECORD)};

Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x) {
    if (activation == ACTIVATION_NONE) return tape_alias(tape, name, x);
    return tape_run(tape, records[activation], name, &x, 1, (Setting){0});
}
