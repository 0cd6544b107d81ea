#include "explain/stage.h"

#include <stddef.h>

const StageKind stage_kinds_transformer[] = {
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "encoder",
        .title = "Ids: each token becomes a number",
        .text = "A model cannot read. Each token is replaced by its place in the "
                "vocabulary, and <end> closes the sentence.",
        .formula = "id = vocabulary[token]",
    },
    {
        .name = "ids",
        .part = {"ids"},
        .stack = "decoder",
        .title = "Ids of the target, shifted right",
        .text =
            "The decoder reads <start> and what has been said so far, and is to say "
            "what comes next. All places are given at once, each seeing only "
            "what stands before it: the same numbers as one step after another.",
        .formula = "decoder input = <start>, token 1, token 2, ...",
    },
    {
        .name = "padding",
        .part = {"padding_mask"},
        .title = "Padding mask",
        .text = "Sentences of a batch must be equally long, so the shorter ones are "
                "filled up with <pad>. A 1 marks a place that nobody may look at.",
        .formula = "padding[token] = 1 if the token is <pad>, else 0",
    },
    {
        .name = "embedding",
        .part = {"embedding"},
        .title = "Embedding: look up a row of the table",
        .text = "Each id chooses one row of a table of learned numbers. Tokens used "
                "alike come to have rows alike: this is all the model knows of a word "
                "alone.",
        .formula = "E[token] = table[id]",
    },
    {
        .name = "embedding-scaled",
        .part = {"embedding_scaled"},
        .title = "Embedding × √d_model",
        .text =
            "The rows are made larger, so that the positions that are added next do "
            "not drown them.",
        .formula = "X = E · √d_model",
    },
    {
        .name = "position",
        .part = {"position"},
        .title = "Positional encoding",
        .text =
            "Attention does not know the order of its tokens. So each place gets a "
            "pattern of its own: waves from fast (left) to slow (right), or learned "
            "rows.",
        .formula =
            "PE[pos, 2i] = sin(pos / 10000^(2i/d_model)), PE[pos, 2i+1] = cos(…)",
    },
    {
        .name = "input",
        .part = {"input"},
        .title = "Embedding + position",
        .text = "Word and place are added into one row of numbers: this goes into the "
                "first layer.",
        .formula = "X = embedding + position",
    },
    {
        .name = "projections",
        .part = {"self_attention.query_projection", "self_attention.key_projection",
                 "self_attention.value_projection"},
        .title = "Q, K, V: three roles for each token",
        .text =
            "Each token is multiplied with three learned matrices: the query is what "
            "it looks for, the key what it offers, the value what it passes on.",
        .formula = "Q = X W_Q + b_Q,  K = X W_K + b_K,  V = X W_V + b_V",
        .gathers = true,
    },
    {
        .name = "projections",
        .part = {"cross_attention.query_projection", "cross_attention.key_projection",
                 "cross_attention.value_projection"},
        .title = "Cross-attention: Q from the target, K and V from the source",
        .text = "Here the two sides meet: each target token asks (query), and the "
                "encoder's output answers (key, value).",
        .formula = "Q = X W_Q + b_Q,  K = S W_K + b_K,  V = S W_V + b_V,  S = "
                   "encoder.output",
        .gathers = true,
    },
    {
        .name = "heads",
        .part = {"self_attention.query", "self_attention.key", "self_attention.value"},
        .title = "Split into heads",
        .text =
            "The d_model numbers are cut into pieces of d_head. Each head works with "
            "its own piece and can look for something else.",
        .formula = "[batch, token, d_model] → [batch, head, token, d_head]",
        .gathers = true,
    },
    {
        .name = "heads",
        .part = {"cross_attention.query", "cross_attention.key",
                 "cross_attention.value"},
        .title = "Split into heads",
        .text = "The d_model numbers are cut into pieces of d_head, as before. The "
                "queries are target tokens, the keys and values source tokens.",
        .formula = "[batch, token, d_model] → [batch, head, token, d_head]",
        .gathers = true,
    },
    {
        .name = "scores",
        .part = {"self_attention.scores"},
        .title = "Scores: every query with every key",
        .text = "Query and key are multiplied number by number and added up. A large "
                "score says: what this token looks for, that one offers.",
        .formula = "scores = Q Kᵀ",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scores",
        .part = {"cross_attention.scores"},
        .title = "Cross-attention scores: target rows, source columns",
        .text = "Each target token (row) is compared with each source token (column): "
                "which word of the sentence matters for the next one?",
        .formula = "scores = Q Kᵀ",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scaled",
        .part = {"self_attention.scaled", "cross_attention.scaled"},
        .title = "Scaled by √d_k",
        .text = "Sums of more products spread wider. Divided by the root of how many "
                "there are, the softmax does not become a yes or no too early.",
        .formula = "scaled = scores / √d_k",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "masked",
        .part = {"self_attention.masked"},
        .stack = "decoder",
        .title = "Masked: no looking ahead",
        .text = "While it learns, the decoder has the whole answer before it. The mask "
                "hides what comes later (and padding), so that it cannot copy.",
        .formula = "masked[q, k] = scaled[q, k] if k ≤ q, else hidden",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "masked",
        .part = {"self_attention.masked", "cross_attention.masked"},
        .title = "Masked: padding is hidden",
        .text =
            "Scores of padding are made so low that the softmax gives them nothing. "
            "Without padding every score stays as it was.",
        .formula = "masked[q, k] = scaled[q, k], or hidden where k is padding",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "weights",
        .part = {"self_attention.weights", "cross_attention.weights"},
        .title = "Softmax: attention weights",
        .text = "Each row of scores becomes shares that are positive and sum to 1: how "
                "much this token (row) takes from each of the others (columns).",
        .formula =
            "weights[q, k] = exp(masked[q, k]) / Σ over all k of exp(masked[q, k])",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "context",
        .part = {"self_attention.context", "cross_attention.context"},
        .title = "Weighted values",
        .text = "Each token takes the values of the tokens it looks at, each times its "
                "share, and adds them up: a mixture.",
        .formula = "context = weights · V",
    },
    {
        .name = "concat",
        .part = {"self_attention.concat", "cross_attention.concat"},
        .title = "Concatenate the heads",
        .text = "What the heads found is put side by side again: head 0 first, then "
                "head 1, and so on.",
        .formula = "[batch, head, query, d_head] → [batch, query, d_model]",
    },
    {
        .name = "output",
        .part = {"self_attention.output_projection", "self_attention.output",
                 "cross_attention.output_projection", "cross_attention.output"},
        .title = "Output projection",
        .text = "One more learned matrix lets the findings of the heads work together.",
        .formula = "output = concat · W_O + b_O",
    },
    {
        .name = "add-norm-1",
        .part = {"add_1", "norm_1"},
        .title = "Add & norm",
        .text =
            "The input is added again, so that nothing is lost on the way (residual "
            "connection). Layer norm brings each row to mean 0 and deviation 1, then "
            "stretches and shifts it by learned numbers.",
        .formula = "norm(x) = (x − mean) / √(variance + ε) · gain + bias",
    },
    {
        .name = "add-norm-2",
        .part = {"add_2", "norm_2"},
        .title = "Add & norm",
        .text = "Again the input of the sublayer is added and each row is normed.",
        .formula = "norm(x) = (x − mean) / √(variance + ε) · gain + bias",
    },
    {
        .name = "add-norm-3",
        .part = {"add_3", "norm_3"},
        .title = "Add & norm",
        .text = "Again the input of the sublayer is added and each row is normed.",
        .formula = "norm(x) = (x − mean) / √(variance + ε) · gain + bias",
    },
    {
        .name = "feed-forward",
        .part = {"feed_forward.hidden", "feed_forward.activated"},
        .title = "Feed-forward: wider, then a bend",
        .text =
            "Each token alone is projected to d_ff numbers, and an activation bends "
            "the line: ReLU sets what is negative to 0. Without it two matrices "
            "would be no more than one.",
        .formula = "hidden = x W_1 + b_1,  activated = max(0, hidden)",
    },
    {
        .name = "feed-forward-output",
        .part = {"feed_forward.output_projection", "feed_forward.output"},
        .title = "Feed-forward: back to d_model",
        .text = "A second matrix brings the d_ff numbers back to the width of the "
                "model.",
        .formula = "output = activated · W_2 + b_2",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .title = "The encoder's output",
        .text =
            "One row for each source token, which now knows of all the others: this is "
            "what the encoder hands on.",
        .formula = "S = the last layer's result",
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .title = "The decoder's output",
        .text =
            "One row for each target place: what the model has in mind for the word "
            "that comes next.",
        .formula = "the last layer's result",
    },
    {
        .name = "logits",
        .part = {"logits"},
        .title = "Logits: a score for every word",
        .text = "A last matrix gives each word of the vocabulary a score as the next "
                "word. The best ones of each place are shown.",
        .formula = "logits = x W + b",
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .title = "Probabilities: softmax over the vocabulary",
        .text = "The scores become shares that sum to 1. The largest is the model's "
                "choice for the next word.",
        .formula = "p[word] = exp(logit[word]) / Σ over all words of exp(logit)",
        .look = LOOK_BARS,
    },
    {0},
};

const StageKind *const stage_kinds[] = {
    stage_kinds_classifier,
    stage_kinds_seq2seq,
    stage_kinds_transformer,
    NULL,
};
