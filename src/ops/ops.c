#include "ops/ops.h"

#define OP_ADDRESS(name) &op_##name,

const Op *const ops[] = {OPS(OP_ADDRESS) NULL};
