#include "ops/ops.h"

const Op *const ops[] = {
    &op_add,        &op_append,   &op_choose,    &op_concatenate, &op_cross_entropy,
    &op_dot,        &op_dropout,  &op_embed,     &op_equals,      &op_gelu,
    &op_layer_norm, &op_linear,   &op_lstm_cell, &op_lstm_gate,   &op_lstm_state,
    &op_mask,       &op_matmul,   &op_mean,      &op_merge_heads, &op_relu,
    &op_scale,      &op_sinusoid, &op_softmax,   &op_split_heads, &op_stack,
    NULL,
};
