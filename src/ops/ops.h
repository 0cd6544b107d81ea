/* ops.h - every operation a Transformer is made of, one record each.
 *
 * Each function takes tensors, records a step on the tape and returns a new tensor
 * named `name`, owned by the tape. A shape that does not fit fails the tape: see
 * tape_run(). Inputs may be NULL only when the tape has failed, or where it says so. */
#pragma once

#include "ops/parameters.h"
#include "tensor/tape.h"

/* Activations: the curve behind a linear layer, by the name it has in config.json,
 * which is that of its operation. Every one but "none". A new one is functions and a
 * record in activation.c, and its name here. */
#define ACTIVATIONS(row) row(relu) row(gelu) row(gelu_tanh) row(silu)

/* Every operation, in one row each: op_add and so on, as its file defines it. */
/* clang-format off */
#define OPS(row) \
    row(add) \
    row(append) \
    row(binary_cross_entropy) \
    row(choose) \
    row(concatenate) \
    row(cross_entropy) \
    row(dot) \
    row(dropout) \
    row(embed) \
    row(equals) \
    row(head_mean) \
    row(last_token) \
    row(layer_norm) \
    row(linear) \
    row(lstm_cell) \
    row(lstm_gate) \
    row(lstm_state) \
    row(mask) \
    row(matmul) \
    row(mean) \
    row(merge_heads) \
    row(multiply) \
    row(repeat_heads) \
    row(rms_norm) \
    row(rms_plain) \
    row(rnn_state) \
    row(rotate) \
    row(row_distance) \
    row(row_entropy) \
    row(row_product) \
    row(scale) \
    row(sigmoid_pair) \
    row(sinusoid) \
    row(softmax) \
    row(split_heads) \
    row(stack) \
    row(token_types) \
    ACTIVATIONS(row)
/* clang-format on */

#define OP_DECLARED(name) extern const Op op_##name;
OPS(OP_DECLARED)

/* All of them, ending with NULL. */
extern const Op *const ops[];

/* y = x W^T + b: x [..., in] -> [..., out]; the last axis is the first one of W. */
Tensor *linear(Tape *tape, const char *name, Tensor *x, const Linear *layer);

/* Z[i,j] = sum over k of X[i,k] Y[k,j]: x [..., i, k], y [..., k, j] -> [..., i, j],
 * once for each index of the leading axes, which must agree in size; y may lack some:
 * then it is the same for all. */
Tensor *matmul(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* Z[i,j] = sum over k of X[i,k] Y[j,k]: each row of x [..., i, k] with each row of y
 * [..., j, k] -> [..., i, j]. Q K^T without a transposed copy of K. y may lack leading
 * axes, as for matmul. */
Tensor *dot(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* X + Y, same sizes; Y may lack leading axes: [batch, source, d_model] + [source,
 * d_model]. The axes of the result are those of x. */
Tensor *add(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* Each number of x times that of y: both of one shape. */
Tensor *multiply(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* Each number times `factor`. */
Tensor *scale(Tape *tape, const char *name, Tensor *x, double factor);

/* Along the last axis: positive, and each row sums to 1. A row of -inf alone gives
 * zeros: there is nothing to look at. Section 3.2.1. */
Tensor *softmax(Tape *tape, const char *name, Tensor *x);

/* Each row to mean 0 and deviation 1, then times the gain plus the bias: (x - mean) /
 * sqrt(variance + epsilon) gain + bias. Ba, Kiros and Hinton 2016. */
Tensor *layer_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* Each row divided by its root mean square, then times the gain: x / sqrt(mean of x^2 +
 * epsilon) gain. Zhang and Sennrich 2019. */
Tensor *rms_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* The same without gain. */
Tensor *rms_plain(Tape *tape, const char *name, Tensor *x, double epsilon);

/* The one of the three that `norm` is. */
Tensor *normalize(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* scores [batch, head, query, key], padding [batch, key] with 1 where the key is
 * padding, else 0 -> the scores with hidden ones set to (or lowered by) `value`. The
 * last query is at the place of the last key, so that one query of a cached
 * decoding sees all keys. Section 3.2.3. */
Tensor *mask(Tape *tape, const char *name, Tensor *scores, Tensor *padding,
             MaskSetting setting);

/* Is the key hidden from the query, and why: bits of MASK_LATER, MASK_SELF,
 * MASK_PADDING, MASK_FAR; 0 if visible. `step` is one of op_mask, `cell` of its output.
 */
enum { MASK_PADDING = 8, MASK_FAR = 16 };
int mask_reasons(const Step *step, int cell);

/* Rows of `table` [entry, feature] chosen by ids [...] -> [..., feature]. An id
 * outside the table fails the tape. */
Tensor *embed(Tape *tape, const char *name, Tensor *table, Tensor *ids);

/* The rows of the table's gradient that the step added to are 0. */
void embed_forget_gradient(const Step *step);

/* PE(position, 2i) = sin(position / 10000^(2i / d_model)), cos for 2i + 1, section
 * 3.5, for `positions` (its size rows, the first of them position `first`) ->
 * [positions, d_model]. An odd d_model fails the tape. */
Tensor *sinusoid(Tape *tape, const char *name, Axis positions, int d_model, int first);

/* [batch, token, d_model] -> [batch, head, token, d_head], and back. Section 3.2.2. */
Tensor *split_heads(Tape *tape, const char *name, Tensor *x, int heads);
Tensor *merge_heads(Tape *tape, const char *name, Tensor *x);

/* x [batch, head, token, d_head], whose heads are each shared by several of `heads` in
 * a row -> [batch, heads, token, d_head]. Ainslie et al. 2023. */
Tensor *repeat_heads(Tape *tape, const char *name, Tensor *x, int heads);

/* Rotary positions, Su et al. 2021: the numbers i and i + d_head / 2 of each row of x
 * [batch, head, token, d_head] turned by position / base^(2i / d_head), the first token
 * being at position `first`. An odd d_head fails the tape. */
Tensor *rotate(Tape *tape, const char *name, Tensor *x, double base, int first);

/* The rows of `old` [batch, head, token, d_head] and behind them those of `more`: keys
 * and values that a cached decoding remembers. */
Tensor *append(Tape *tape, const char *name, Tensor *old, Tensor *more);

/* Rows of x and behind each the row of y: [..., i], [..., j] -> [..., i + j]. */
Tensor *concatenate(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* One tensor [batch, feature] for each token -> [batch, token, feature]. */
Tensor *stack(Tape *tape, const char *name, Tensor *const *token, int tokens);

/* The mean over the tokens of x [batch, token, feature] -> [batch, feature]; those with
 * a 1 in `padding` [batch, token] do not count; NULL: all count. The mean of none is
 * 0. */
Tensor *mean(Tape *tape, const char *name, Tensor *x, Tensor *padding);

/* The row of the last token of x [batch, token, feature] that has no 1 in `padding`
 * [batch, token] -> [batch, feature]; of padding alone the first. */
Tensor *last_token(Tape *tape, const char *name, Tensor *x, Tensor *padding);

/* A plain RNN, Elman 1990, one step: h' = tanh(W x + U h) with its biases. W x + b lies
 * in `from_input` [batch, token, hidden] for every token, U h + b in `from_state`
 * [batch, hidden] -> [batch, hidden]. */
Tensor *rnn_state(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token);

/* An LSTM, Hochreiter and Schmidhuber 1997, with the forget gate of Gers and others
 * 2000, one step: i = σ(W_i x + U_i h), f = σ(W_f x + U_f h), g = tanh(W_g x + U_g h),
 * o = σ(W_o x + U_o h), each with its biases; c' = f c + i g; h' = o tanh(c').
 *
 * The sums of all gates lie in one row, in the order i, f, g, o: W x + b for every
 * token in `from_input` [batch, token, 4 hidden], U h + b in `from_state` [batch, 4
 * hidden]. lstm_gate() adds up those of one gate at one token -> [batch, hidden]. */
enum { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };
Tensor *lstm_gate(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token, int gate);

/* c' = f c + i g, and h' = o tanh(c'): all of one shape. */
Tensor *lstm_cell(Tape *tape, const char *name, Tensor *forget, Tensor *before,
                  Tensor *input, Tensor *fresh);
Tensor *lstm_state(Tape *tape, const char *name, Tensor *output, Tensor *cell);

/* Each number set to 0 with probability `rate`, the others divided by 1 - rate; which
 * ones follows from the seed. Srivastava et al. 2014. */
Tensor *dropout(Tape *tape, const char *name, Tensor *x, double rate,
                unsigned long long seed);

/* 1 where the number is `number`, else 0: which ids are padding. */
Tensor *equals(Tape *tape, const char *name, Tensor *x, double number);

/* Of ids [batch, token], in which `end` ends each sentence of a pair: how many ended
 * before the token, at most types - 1. Devlin et al. 2018, section 3. */
Tensor *token_types(Tape *tape, const char *name, Tensor *ids, int end, int types);

/* The place of the largest number in the last row of logits [batch, target, vocabulary]
 * -> [batch, 1]; of equals the first. What greedy decoding takes. */
Tensor *choose(Tape *tape, const char *name, Tensor *logits);

/* -log of the probability that softmax(logits) [batch, target, vocabulary] gives the
 * wanted ids [batch, target], averaged over those that are not `ignored` -> [1]. With
 * `smoothing` e the wanted word counts 1 - e and every word e / vocabulary. 5.4 */
typedef struct {
    int ignored;
    double smoothing;
} CrossEntropy;
Tensor *cross_entropy(Tape *tape, const char *name, Tensor *logits, Tensor *wanted,
                      CrossEntropy options);

/* The largest logit of a row that counts, as that step found it. */
Number cross_entropy_most(const Step *step, int row);

/* The probabilities of two labels by one logit x [batch, 1]: (1 - σ(x), σ(x)) ->
 * [batch, 2]. */
Tensor *sigmoid_pair(Tape *tape, const char *name, Tensor *x);

/* -log of the probability that sigmoid_pair(logits) gives the wanted labels [batch], 0
 * or 1, averaged -> [1]. With `smoothing` e the wanted one counts 1 - e / 2. */
Tensor *binary_cross_entropy(Tape *tape, const char *name, Tensor *logits,
                             Tensor *wanted, double smoothing);

/* What a reader of a run computes. For weights [batch, head, query, key]: half of the
 * mean over the heads and half of the token itself, each row to sum 1 -> [batch, query,
 * key], the step of attention rollout (Abnar and Zuidema 2020); as many keys as queries
 * are needed. */
Tensor *head_mean(Tape *tape, const char *name, Tensor *weights);

/* The entropy of each row of weights [batch, head, query, key], in bits -> [batch,
 * query, head]; and how far each row is from that of a pattern [batch, query, key], the
 * total variation distance, 0 to 1 -> [batch, query, head]. */
Tensor *row_entropy(Tape *tape, const char *name, Tensor *weights);
Tensor *row_distance(Tape *tape, const char *name, Tensor *weights, Tensor *pattern);

/* Each row of x [..., k] times the same row of y [..., k], summed -> [...]. */
Tensor *row_product(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* The curve through every number of x; for "none" a second name of x. */
Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x);
