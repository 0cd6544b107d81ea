#include "ops/ops.h"

const Op *const ops[] = {
    &op_add,         &op_append, &op_cross_entropy, &op_dot,
    &op_dropout,     &op_embed,  &op_gelu,          &op_layer_norm,
    &op_linear,      &op_mask,   &op_matmul,        &op_merge_heads,
    &op_relu,        &op_scale,  &op_sinusoid,      &op_softmax,
    &op_split_heads, NULL,
};
