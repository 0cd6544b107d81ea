#include "model/activation.h"

#include "ops/ops.h"

Tensor *activate(Tape *tape, const char *name, int activation, Tensor *x) {
    switch ((Activation)activation) {
    case ACTIVATION_RELU:
        return relu(tape, name, x);
    case ACTIVATION_GELU:
        return gelu(tape, name, x);
    case ACTIVATION_NONE:
        break;
    }
    return tape_alias(tape, name, x);
}
