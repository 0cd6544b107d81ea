/* ops.h - all operations of a Transformer, with one record each.
 *
 * Each function takes tensors, records a step on the tape and returns a new tensor
 * named `name`, owned by the tape. Shapes that do not fit fail the tape: see
 * tape_run(). Inputs may be NULL only if the tape has failed, or if the comment says
 * so. */
#pragma once

#include "ops/parameters.h"
#include "tensor/tape.h"

/* Activations: nonlinearities after a linear layer. Each is named as in config.json;
 * its operation has the same name, except "none". To add one: src/README.md. */
#define ACTIVATIONS(row) row(relu) row(gelu) row(gelu_tanh) row(silu)

/* All operations, one row each: op_add and so on, defined in their files. */
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

/* y = x W^T + b: x [..., in] -> [..., out]; the last axis is named after W's first. */
Tensor *linear(Tape *tape, const char *name, Tensor *x, const Linear *layer);

/* Z[i,j] = sum over k of X[i,k] Y[k,j]: x [..., i, k], y [..., k, j] -> [..., i, j],
 * for each index of the leading axes, which must have the same sizes. If y lacks some
 * of them, it is reused along those. */
Tensor *matmul(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* Z[i,j] = sum over k of X[i,k] Y[j,k]: each row of x [..., i, k] with each row of y
 * [..., j, k] -> [..., i, j]. Computes Q K^T without a transposed copy of K. y may lack
 * leading axes, as for matmul. */
Tensor *dot(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* X + Y, same sizes; Y may lack leading axes: [batch, source, d_model] + [source,
 * d_model]. The result has the axes of x. */
Tensor *add(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* The elementwise product of x and y, which have the same shape. */
Tensor *multiply(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* Multiply each number by `factor`. */
Tensor *scale(Tape *tape, const char *name, Tensor *x, double factor);

/* Make each row (last axis) positive with sum 1. A row of only -inf, whose keys are all
 * masked, becomes zeros. Section 3.2.1. */
Tensor *softmax(Tape *tape, const char *name, Tensor *x);

/* Normalize each row to mean 0 and deviation 1, multiply by the gain, add the bias: (x
 * - mean) / sqrt(variance + epsilon) gain + bias. Ba, Kiros and Hinton 2016. */
Tensor *layer_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* Divide each row by its root mean square, multiply by the gain: x / sqrt(mean of x^2 +
 * epsilon) gain. Zhang and Sennrich 2019. */
Tensor *rms_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* The same without gain. */
Tensor *rms_plain(Tape *tape, const char *name, Tensor *x, double epsilon);

/* Apply the one of these three that `norm` describes. */
Tensor *normalize(Tape *tape, const char *name, Tensor *x, const Norm *norm);

/* scores [batch, head, query, key], padding [batch, key] with 1 for padding, else 0 ->
 * the scores, with masked ones set to (or increased by) `value`. The last query is at
 * the position of the last key, so with a key/value cache the single query can attend
 * to all keys. Section 3.2.3. */
Tensor *mask(Tape *tape, const char *name, Tensor *scores, Tensor *padding,
             MaskSetting setting);

/* Is the key masked for the query, and why? Returns bits of MASK_LATER, MASK_SELF,
 * MASK_PADDING, MASK_FAR; 0 if it is visible. `step` runs op_mask, `cell` is a cell of
 * its output. */
enum { MASK_PADDING = 8, MASK_FAR = 16 };
int mask_reasons(const Step *step, int cell);

/* Rows of `table` [entry, feature] selected by ids [...] -> [..., feature]. An id
 * outside the table fails the tape. */
Tensor *embed(Tape *tape, const char *name, Tensor *table, Tensor *ids);

/* Zero the rows of the table's gradient that the step added to. */
void embed_forget_gradient(const Step *step);

/* PE(position, 2i) = sin(position / 10000^(2i / d_model)), cos for 2i + 1, section 3.5,
 * for the rows of `positions`, the first of which is at position `first` -> [positions,
 * d_model]. An odd d_model fails the tape. */
Tensor *sinusoid(Tape *tape, const char *name, Axis positions, int d_model, int first);

/* [batch, token, d_model] -> [batch, head, token, d_head], and back. Section 3.2.2. */
Tensor *split_heads(Tape *tape, const char *name, Tensor *x, int heads);
Tensor *merge_heads(Tape *tape, const char *name, Tensor *x);

/* x [batch, head, token, d_head] -> [batch, heads, token, d_head]: each head of x is
 * repeated for several consecutive heads. Ainslie et al. 2023. */
Tensor *repeat_heads(Tape *tape, const char *name, Tensor *x, int heads);

/* Rotary position embeddings, Su et al. 2021: rotate the numbers i and i + d_head / 2
 * of each row of x [batch, head, token, d_head] by position / base^(2i / d_head); the
 * first token is at position `first`. An odd d_head fails the tape. */
Tensor *rotate(Tape *tape, const char *name, Tensor *x, double base, int first);

/* Append the rows of `more` to those of `old` [batch, head, token, d_head]: the
 * key/value cache during decoding. */
Tensor *append(Tape *tape, const char *name, Tensor *old, Tensor *more);

/* Append each row of y to the same row of x: [..., i], [..., j] -> [..., i + j]. */
Tensor *concatenate(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* One tensor [batch, feature] for each token -> [batch, token, feature]. */
Tensor *stack(Tape *tape, const char *name, Tensor *const *token, int tokens);

/* The mean over the tokens of x [batch, token, feature] -> [batch, feature], ignoring
 * those with a 1 in `padding` [batch, token] (NULL: ignore none). The mean of no tokens
 * is 0. */
Tensor *mean(Tape *tape, const char *name, Tensor *x, Tensor *padding);

/* The row of x [batch, token, feature] for the last token that has no 1 in `padding`
 * [batch, token] -> [batch, feature]; the first token if all are padding. */
Tensor *last_token(Tape *tape, const char *name, Tensor *x, Tensor *padding);

/* One step of a plain RNN, Elman 1990: h' = tanh(W x + U h) with biases. `from_input`
 * [batch, token, hidden] holds W x + b for every token, `from_state` [batch, hidden]
 * holds U h + b -> [batch, hidden]. */
Tensor *rnn_state(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token);

/* One step of an LSTM, Hochreiter and Schmidhuber 1997, with the forget gate of Gers et
 * al. 2000: i = σ(W_i x + U_i h), f = σ(W_f x + U_f h), g = tanh(W_g x + U_g h), o =
 * σ(W_o x + U_o h), each with biases; c' = f c + i g; h' = o tanh(c').
 *
 * One row holds the sums of all gates, in the order i, f, g, o: `from_input` [batch,
 * token, 4 hidden] is W x + b for every token, `from_state` [batch, 4 hidden] is U h +
 * b. lstm_gate() adds the two for one gate at one token -> [batch, hidden]. */
enum { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };
Tensor *lstm_gate(Tape *tape, const char *name, Tensor *from_input, Tensor *from_state,
                  int token, int gate);

/* c' = f c + i g, and h' = o tanh(c'): all have the same shape. */
Tensor *lstm_cell(Tape *tape, const char *name, Tensor *forget, Tensor *before,
                  Tensor *input, Tensor *fresh);
Tensor *lstm_state(Tape *tape, const char *name, Tensor *output, Tensor *cell);

/* Set each number to 0 with probability `rate`, divide the others by 1 - rate. The seed
 * decides which. Srivastava et al. 2014. */
Tensor *dropout(Tape *tape, const char *name, Tensor *x, double rate,
                unsigned long long seed);

/* 1 if the number equals `number`, else 0: marks the ids that are padding. */
Tensor *equals(Tape *tape, const char *name, Tensor *x, double number);

/* How many sentences ended before each token of ids [batch, token], at most types - 1;
 * `end` is the id that ends each sentence of a pair. Devlin et al. 2018, section 3. */
Tensor *token_types(Tape *tape, const char *name, Tensor *ids, int end, int types);

/* The index of the largest number in the last row of logits [batch, target, vocabulary]
 * -> [batch, 1]; the first if several are equal. Used by greedy decoding. */
Tensor *choose(Tape *tape, const char *name, Tensor *logits);

/* -log of the probability that softmax(logits) [batch, target, vocabulary] gives the
 * labels [batch, target], averaged over those that are not `ignored` -> [1]. With
 * `smoothing` e the label has weight 1 - e plus e / vocabulary for every word. 5.4 */
typedef struct {
    int ignored;
    double smoothing;
} CrossEntropy;
Tensor *cross_entropy(Tape *tape, const char *name, Tensor *logits, Tensor *expected,
                      CrossEntropy options);

/* Return the largest logit of a row that counts, as computed by that step. */
Number cross_entropy_max(const Step *step, int row);

/* The probabilities of two labels from one logit x [batch, 1]: (1 - σ(x), σ(x)) ->
 * [batch, 2]. */
Tensor *sigmoid_pair(Tape *tape, const char *name, Tensor *x);

/* -log of the probability that sigmoid_pair(logits) gives the labels [batch], 0 or 1,
 * averaged -> [1]. With `smoothing` e the label has weight 1 - e / 2. */
Tensor *binary_cross_entropy(Tape *tape, const char *name, Tensor *logits,
                             Tensor *expected, double smoothing);

/* Computed only to examine a run. For weights [batch, head, query, key]: half of the
 * mean over the heads plus half of the token itself, each row normalized to 1 ->
 * [batch, query, key], a step of attention rollout (Abnar and Zuidema 2020). Needs as
 * many keys as queries. */
Tensor *head_mean(Tape *tape, const char *name, Tensor *weights);

/* The entropy of each row of weights [batch, head, query, key], in bits -> [batch,
 * query, head]; and the total variation distance, 0 to 1, between each row and the same
 * row of a pattern [batch, query, key] -> [batch, query, head]. */
Tensor *row_entropy(Tape *tape, const char *name, Tensor *weights);
Tensor *row_distance(Tape *tape, const char *name, Tensor *weights, Tensor *pattern);

/* The dot product of each row of x [..., k] with the same row of y [..., k] ->
 * [...]. */
Tensor *row_product(Tape *tape, const char *name, Tensor *x, Tensor *y);

/* The operation of each activation; NULL for "none". */
extern const Op *const activation_ops[];

/* Apply the activation to every number of x; for "none", only give x a second name. */
Tensor *activate(Tape *tape, const char *name, Activation activation, Tensor *x);
