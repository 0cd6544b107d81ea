#include "ops/ops.h"

#include <stddef.h>

#define OP_ADDRESS(name) &op_##name,

const Op *const ops[] = {OPS(OP_ADDRESS) NULL};

Tensor *normalize(Tape *tape, const char *name, Tensor *x, const Norm *norm) {
    if (!norm->gain) return rms_plain(tape, name, x, norm->epsilon);
    return (norm->bias ? layer_norm : rms_norm)(tape, name, x, norm);
}

#define NAME(name) #name,
const char *const activation_names[] = {"none", ACTIVATIONS(NAME) NULL};

const Op *const activation_ops[] = {NULL, ACTIVATIONS(OP_ADDRESS)};

Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x) {
    if (activation == ACTIVATION_NONE) return tape_alias(tape, name, x);
    return tape_run(tape, activation_ops[activation], name, &x, 1, (Setting){0});
}
