#include "explain/code.h"
#include "ops/ops.h"

static bool has_bias(const Step *step) {
    return step->inputs > 2;
}

static bool has_padding(const Step *step) {
    return step->inputs > 1;
}

static bool is_tanh(const Step *step) {
    return step->setting.count % GATES == GATE_CELL;
}

static bool is_fill_of_later(const Step *step) {
    return step->setting.count == MASK_LATER ||
           step->setting.count == (MASK_LATER | MASK_SELF);
}

static bool is_sum_of_later(const Step *step) {
    return (step->setting.count & MASK_ADD) && (step->setting.count & MASK_LATER);
}

static bool is_sum_of_padding(const Step *step) {
    return step->setting.count == MASK_ADD;
}

static bool is_fill_of_padding(const Step *step) {
    return step->setting.count == 0;
}

#define NUMPY_PADDING "hidden = ($1 != 0)[:, None, None, :]\n"
#define NUMPY_LATER                                                                    \
    NUMPY_PADDING "hidden = hidden | (numpy.triu(numpy.ones(($m)), $d) > 0)\n"
#define TORCH_PADDING "hidden = ($1 != 0)[:, None, None, :]\n"
#define TORCH_LATER TORCH_PADDING "hidden = hidden | (torch.ones($m).triu($d) > 0)\n"
#define NUMPY_FILL "$y = numpy.where(hidden, $n, $0)"
#define TORCH_FILL "$y = $0.masked_fill(hidden, $n)"
#define SUM "$y = $0 + $n * hidden"
#define LAST_TOKEN                                                                     \
    "last = [max((t for t, p in enumerate(row) if p == 0), default=0) for row in "     \
    "$1]\n"

const CodeRow code_rows[] = {
    {&op_add, NULL, {"$y = $0 + $1", "$y = $0 + $1"}},
    {&op_append,
     NULL,
     {"$y = numpy.concatenate([$0, $1], axis=2)", "$y = torch.cat([$0, $1], dim=2)"}},
    {&op_choose,
     NULL,
     {"$y = $0[:, -1].argmax(-1)[:, None]", "$y = $0[:, -1].argmax(-1)[:, None]"}},
    {&op_concatenate,
     NULL,
     {"$y = numpy.concatenate([$0, $1], axis=-1)", "$y = torch.cat([$0, $1], dim=-1)"}},
    {&op_dot,
     NULL,
     {"$y = $0 @ $1.swapaxes(-1, -2)", "$y = $0 @ $1.transpose(-1, -2)"}},
    {&op_embed, NULL, {"$y = $0[$1.astype(int)]", "$y = F.embedding($1.long(), $0)"}},
    {&op_equals, NULL, {"$y = 1.0 * ($0 == $n)", "$y = 1.0 * ($0 == $n)"}},
    {&op_gelu,
     NULL,
     {"$y = $0 / 2 * (1 + numpy.vectorize(math.erf)($0 / math.sqrt(2)))",
      "$y = F.gelu($0)"}},
    {&op_last_token,
     NULL,
     {LAST_TOKEN "$y = $0[numpy.arange(len($0)), last]",
      LAST_TOKEN "$y = $0[torch.arange(len($0)), last]"}},
    {&op_layer_norm,
     NULL,
     {"centred = $0 - $0.mean(-1, keepdims=True)\n"
      "deviation = numpy.sqrt($0.var(-1, keepdims=True) + $n)\n"
      "$y = centred / deviation * $1 + $2",
      "$y = F.layer_norm($0, $0.shape[-1:], $1, $2, eps=$n)"}},
    {&op_linear, has_bias, {"$y = $0 @ $1.T + $2", "$y = F.linear($0, $1, $2)"}},
    {&op_linear, NULL, {"$y = $0 @ $1.T", "$y = F.linear($0, $1)"}},
    {&op_lstm_cell, NULL, {"$y = $0 * $1 + $2 * $3", "$y = $0 * $1 + $2 * $3"}},
    {&op_lstm_gate,
     is_tanh,
     {"$y = numpy.tanh($0[:, $t, $r] + $1[:, $r])",
      "$y = torch.tanh($0[:, $t, $r] + $1[:, $r])"}},
    {&op_lstm_gate,
     NULL,
     {"$y = 1 / (1 + numpy.exp(-($0[:, $t, $r] + $1[:, $r])))",
      "$y = torch.sigmoid($0[:, $t, $r] + $1[:, $r])"}},
    {&op_lstm_state, NULL, {"$y = $0 * numpy.tanh($1)", "$y = $0 * torch.tanh($1)"}},
    {&op_mask, is_sum_of_later, {NUMPY_LATER SUM, TORCH_LATER SUM}},
    {&op_mask, is_sum_of_padding, {NUMPY_PADDING SUM, TORCH_PADDING SUM}},
    {&op_mask, is_fill_of_later, {NUMPY_LATER NUMPY_FILL, TORCH_LATER TORCH_FILL}},
    {&op_mask,
     is_fill_of_padding,
     {NUMPY_PADDING NUMPY_FILL, TORCH_PADDING TORCH_FILL}},
    {&op_matmul, NULL, {"$y = $0 @ $1", "$y = $0 @ $1"}},
    {&op_mean,
     has_padding,
     {"counts = 1 - $1\n"
      "$y = ($0 * counts[:, :, None]).sum(1) / counts.sum(1)[:, None]",
      "counts = 1 - $1\n"
      "$y = ($0 * counts[:, :, None]).sum(1) / counts.sum(1)[:, None]"}},
    {&op_mean, NULL, {"$y = $0.mean(1)", "$y = $0.mean(1)"}},
    {&op_merge_heads,
     NULL,
     {"$y = $0.swapaxes(1, 2).reshape($s)", "$y = $0.transpose(1, 2).reshape($s)"}},
    {&op_relu, NULL, {"$y = numpy.maximum($0, 0)", "$y = torch.relu($0)"}},
    {&op_rnn_state,
     NULL,
     {"$y = numpy.tanh($0[:, $c] + $1)", "$y = torch.tanh($0[:, $c] + $1)"}},
    {&op_scale, NULL, {"$y = $0 * $n", "$y = $0 * $n"}},
    {&op_sigmoid_pair,
     NULL,
     {"second = 1 / (1 + numpy.exp(-$0))\n"
      "$y = numpy.concatenate([1 - second, second], axis=-1)",
      "second = torch.sigmoid($0)\n"
      "$y = torch.cat([1 - second, second], dim=-1)"}},
    {&op_sinusoid,
     NULL,
     {"column = numpy.arange($c)\n"
      "angle = numpy.arange($p)[:, None] / 10000.0 ** (column // 2 * 2 / $c)\n"
      "$y = numpy.where(column % 2 == 0, numpy.sin(angle), numpy.cos(angle))",
      "column = torch.arange($c)\n"
      "angle = torch.arange($p)[:, None] / 10000.0 ** (column // 2 * 2 / $c)\n"
      "$y = torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle))"}},
    {&op_softmax,
     NULL,
     {"e = numpy.exp($0 - $0.max(-1, keepdims=True))\n"
      "$y = e / e.sum(-1, keepdims=True)",
      "$y = torch.softmax($0, -1)"}},
    {&op_split_heads,
     NULL,
     {"$y = $0.reshape($h).swapaxes(1, 2)", "$y = $0.reshape($h).transpose(1, 2)"}},
    {&op_stack,
     NULL,
     {"$y = numpy.stack([$*], axis=1)", "$y = torch.stack([$*], dim=1)"}},
    {0},
};
