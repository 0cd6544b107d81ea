/* ops_cases.h - each operation on inputs of some sizes, for test_ops.c. */
#pragma once

#include "ops/ops.h"
#include "tensor/tape.h"

enum { INPUTS_MAX = 4 };

/* An operation on inputs of these sizes; 0 ends the axes, and the inputs. Inputs
 * without gradients have whole numbers below `choices`. */
typedef struct {
    const Op *op;
    int size[INPUTS_MAX][RANK_MAX];
    Setting setting;
    int choices;
} Case;

/* clang-format off */
#define MASKS(flags)                                                                   \
    {.op = &op_mask, {{1, 1, 1, 1}, {1, 1}}, {.count = flags, .number = -7.5}, 2},     \
    {.op = &op_mask, {{2, 3, 2, 5}, {2, 5}}, {.count = flags, .number = -7.5}, 2},     \
    {.op = &op_mask, {{2, 1, 5, 5}, {2, 5}}, {.count = flags, .number = 3}, 2},        \
    {.op = &op_mask, {{1, 2, 4, 3}, {1, 3}}, {.count = flags, .number = 0}, 2}

#define LINEARS(rows)                                                                  \
    {.op = &op_linear, {{rows, 4}, {5, 4}, {5}}},                                      \
    {.op = &op_linear, {{1, rows, 3}, {2, 3}}},                                        \
    {.op = &op_linear, {{2, rows, 33}, {9, 33}, {9}}},                                 \
    {.op = &op_linear, {{rows, 1}, {1, 1}, {1}}}

#define GATES_OF(gate)                                                                 \
    {.op = &op_lstm_gate, {{1, 1, 4}, {1, 4}}, {.count = gate}},                       \
    {.op = &op_lstm_gate, {{2, 3, 12}, {2, 12}}, {.count = gate + 2 * GATES}}
/* clang-format on */

static const Case cases[] = {
    {.op = &op_add, {{3, 4}, {3, 4}}},
    {.op = &op_add, {{2, 3, 4}, {3, 4}}},
    {.op = &op_add, {{2, 3, 4, 5}, {5}}},
    {.op = &op_add, {{1}, {1}}},
    {.op = &op_append, {{1, 1, 1, 1}, {1, 1, 1, 1}}},
    {.op = &op_append, {{2, 3, 4, 5}, {2, 3, 1, 5}}},
    {.op = &op_binary_cross_entropy, {{1, 1}, {1}}, {.number = 0}, 2},
    {.op = &op_binary_cross_entropy, {{5, 1}, {5}}, {.number = 0}, 2},
    {.op = &op_binary_cross_entropy, {{5, 1}, {5}}, {.number = 0.2}, 2},
    {.op = &op_choose, {{1, 1, 1}}},
    {.op = &op_choose, {{2, 3, 5}}},
    {.op = &op_concatenate, {{1}, {1}}},
    {.op = &op_concatenate, {{2, 3, 4}, {2, 3, 5}}},
    {.op = &op_cross_entropy, {{1, 1, 1}, {1, 1}}, {.count = -100}, 1},
    {.op = &op_cross_entropy, {{2, 5, 4}, {2, 5}}, {.count = 0}, 4},
    {.op = &op_cross_entropy, {{2, 5, 4}, {2, 5}}, {.count = -1, .number = 0.1}, 4},
    {.op = &op_cross_entropy, {{5, 3}, {5}}, {.count = 1, .number = 0.3}, 3},
    {.op = &op_cross_entropy, {{2, 3, 2}, {2, 3}}, {.count = 0}, 1},
    {.op = &op_row_distance, {{1, 1, 1, 1}, {1, 1, 1}}, {.count = 0}, 2},
    {.op = &op_row_distance, {{2, 3, 4, 5}, {2, 4, 5}}, {.count = 0}, 3},
    {.op = &op_dot, {{1, 1}, {1, 1}}},
    {.op = &op_dot, {{2, 3, 2, 4}, {2, 3, 5, 4}}},
    {.op = &op_dot, {{2, 5, 3}, {2, 1, 3}}},
    {.op = &op_dot, {{2, 3, 2, 4}, {3, 5, 4}}},
    {.op = &op_dot, {{3, 2, 4}, {5, 4}}},
    {.op = &op_dropout, {{3, 5}}, {.number = 0}},
    {.op = &op_dropout, {{2, 4, 5}}, {.number = 0.3, .seed = 5}},
    {.op = &op_dropout, {{33}}, {.number = 0.9, .seed = 6}},
    {.op = &op_embed, {{1, 1}, {1}}, {.count = 0}, 1},
    {.op = &op_embed, {{4, 3}, {2, 5}}, {.count = 0}, 4},
    {.op = &op_row_entropy, {{1, 1, 1, 1}}, {.count = 0}, 2},
    {.op = &op_row_entropy, {{2, 3, 4, 5}}, {.count = 0}, 4},
    {.op = &op_equals, {{2, 3}}, {.number = 1}, 3},
    {.op = &op_gelu, {{1}}},
    {.op = &op_gelu, {{2, 3, 5}}},
    {.op = &op_token_types, {{1, 1}}, {.number = 1, .count = 1}, 3},
    {.op = &op_token_types, {{2, 9}}, {.number = 1, .count = 1}, 3},
    {.op = &op_token_types, {{3, 7}}, {.number = 0, .count = 2}, 2},
    {.op = &op_mask,
     {{1, 2, 5, 5}, {1, 5}},
     {.count = MASK_LATER, .number = -9, .window = 2},
     2},
    {.op = &op_mask,
     {{2, 1, 4, 6}, {2, 6}},
     {.count = 0, .number = -9, .window = 3},
     2},
    {.op = &op_mask,
     {{1, 1, 4, 4}, {1, 4}},
     {.count = MASK_ADD, .number = -3, .window = 2},
     2},
    {.op = &op_head_mean, {{1, 1, 1, 1}}, {.count = 0}, 2},
    {.op = &op_head_mean, {{2, 3, 4, 4}}, {.count = 0}, 3},
    {.op = &op_row_product, {{1, 1}, {1, 1}}},
    {.op = &op_row_product, {{2, 3, 5}, {2, 3, 5}}},
    {.op = &op_last_token, {{1, 1, 1}, {1, 1}}, {.count = 0}, 1},
    {.op = &op_last_token, {{4, 3, 5}, {4, 3}}, {.count = 0}, 2},
    {.op = &op_layer_norm, {{1, 1}, {1}, {1}}, {.number = 1e-5}},
    {.op = &op_layer_norm, {{2, 3, 5}, {5}, {5}}, {.number = 1e-5}},
    {.op = &op_layer_norm, {{5, 40}, {40}, {40}}, {.number = 1e-3}},
    LINEARS(1),
    LINEARS(2),
    LINEARS(3),
    LINEARS(4),
    LINEARS(5),
    LINEARS(16),
    LINEARS(17),
    {.op = &op_lstm_cell, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}},
    {.op = &op_lstm_cell, {{3, 5}, {3, 5}, {3, 5}, {3, 5}}},
    GATES_OF(GATE_INPUT),
    GATES_OF(GATE_FORGET),
    GATES_OF(GATE_CELL),
    GATES_OF(GATE_OUTPUT),
    {.op = &op_lstm_state, {{1, 1}, {1, 1}}},
    {.op = &op_lstm_state, {{3, 5}, {3, 5}}},
    MASKS(0),
    MASKS(MASK_LATER),
    MASKS(MASK_SELF),
    MASKS(MASK_LATER | MASK_SELF),
    MASKS(MASK_ADD),
    MASKS(MASK_LATER | MASK_ADD),
    MASKS(MASK_SELF | MASK_ADD),
    MASKS(MASK_LATER | MASK_SELF | MASK_ADD),
    {.op = &op_mask,
     {{1, 1, 3, 3}, {1, 3}},
     {.count = MASK_LATER, .number = -INFINITY},
     2},
    {.op = &op_matmul, {{1, 1}, {1, 1}}},
    {.op = &op_matmul, {{2, 3, 2, 4}, {2, 3, 4, 5}}},
    {.op = &op_matmul, {{2, 1, 5}, {2, 5, 3}}},
    {.op = &op_matmul, {{2, 3, 2, 4}, {3, 4, 5}}},
    {.op = &op_matmul, {{3, 2, 4}, {4, 5}}},
    {.op = &op_mean, {{1, 1, 1}}},
    {.op = &op_mean, {{2, 3, 5}}},
    {.op = &op_mean, {{1, 1, 1}, {1, 1}}, {.count = 0}, 1},
    {.op = &op_mean, {{3, 4, 5}, {3, 4}}, {.count = 0}, 2},
    {.op = &op_merge_heads, {{1, 1, 1, 1}}},
    {.op = &op_merge_heads, {{2, 3, 4, 5}}},
    {.op = &op_relu, {{2, 3, 5}}},
    {.op = &op_rms_norm, {{1, 1}, {1}}, {.number = 1e-5}},
    {.op = &op_rms_norm, {{2, 3, 5}, {5}}, {.number = 1e-5}},
    {.op = &op_rms_norm, {{5, 40}, {40}}, {.number = 1e-3}},
    {.op = &op_rms_plain, {{1, 1}}, {.number = 1e-5}},
    {.op = &op_rms_plain, {{2, 3, 5}}, {.number = 1e-5}},
    {.op = &op_rms_plain, {{5, 40}}, {.number = 1e-3}},
    {.op = &op_rnn_state, {{1, 1, 1}, {1, 1}}, {.count = 0}},
    {.op = &op_rnn_state, {{2, 3, 5}, {2, 5}}, {.count = 1}},
    {.op = &op_scale, {{2, 3, 5}}, {.number = 0.7}},
    {.op = &op_sigmoid_pair, {{1, 1}}},
    {.op = &op_sigmoid_pair, {{5, 1}}},
    {.op = &op_gelu_tanh, {{1}}},
    {.op = &op_gelu_tanh, {{2, 3, 5}}},
    {.op = &op_multiply, {{1}, {1}}},
    {.op = &op_multiply, {{2, 3, 4}, {2, 3, 4}}},
    {.op = &op_repeat_heads, {{1, 1, 1, 1}}, {.count = 1}},
    {.op = &op_repeat_heads, {{2, 2, 3, 4}}, {.count = 6}},
    {.op = &op_rotate, {{1, 1, 1, 2}}, {.number = 10000}},
    {.op = &op_rotate, {{2, 3, 4, 6}}, {.number = 10000, .count = 2}},
    {.op = &op_rotate, {{1, 1, 5, 8}}, {.number = 100, .count = 7}},
    {.op = &op_silu, {{1}}},
    {.op = &op_silu, {{2, 3, 5}}},
    {.op = &op_sinusoid, {{5}}, {.count = 6}, 5},
    {.op = &op_softmax, {{1, 1}}},
    {.op = &op_softmax, {{2, 3, 2, 5}}},
    {.op = &op_softmax, {{3, 40}}},
    {.op = &op_split_heads, {{1, 1, 1}}, {.count = 1}},
    {.op = &op_split_heads, {{2, 3, 4}}, {.count = 2}},
    {.op = &op_split_heads, {{1, 5, 3}}, {.count = 3}},
    {.op = &op_stack, {{1, 1}}},
    {.op = &op_stack, {{2, 5}, {2, 5}, {2, 5}}},
};
enum { CASES = sizeof cases / sizeof *cases };
