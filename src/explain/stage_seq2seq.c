#include <stddef.h>

#include "explain/stage.h"

#define LSTM_STEP                                                                      \
    { "input_gate", "forget_gate", "cell_gate", "output_gate", "cell", "state" }

const StageKind stage_kinds_seq2seq[] = {
    {
        .name = "lstm-input",
        .part = {"lstm.from_input"},
        .stack = "encoder",
        .title = "What each token says to the gates",
        .text =
            "Each token's row is multiplied with a learned matrix. The result is "
            "four times as wide as the memory: one part each for the input, forget, "
            "cell and output gate.",
        .formula = "from_input = X W + b",
    },
    {
        .name = "lstm-input",
        .part = {"lstm.from_input"},
        .stack = "decoder",
        .title = "What each target token says to the gates",
        .text = "The same for the target, with a matrix of its own.",
        .formula = "from_input = X W + b",
    },
    {
        .name = "step",
        .part = LSTM_STEP,
        .stack = "encoder",
        .title = "LSTM: read one token",
        .text =
            "The token and the state before it decide together, number by number: "
            "what the cell forgets, what new it takes in, and how much of it shows. "
            "Padding is read like any token.",
        .formula = "i, f, o = σ(from_input + h U + b),  g = tanh(…),  c' = f·c + i·g,  "
                   "h' = o·tanh(c')",
    },
    {
        .name = "step",
        .part = LSTM_STEP,
        .stack = "decoder",
        .title = "LSTM: read what was said last",
        .text = "The decoder's LSTM begins with the state in which the encoder's "
                "ended, and its own state goes on from token to token: the line below "
                "the cell names the one that was read. (In seq2seq-as-written that is "
                "initial_cell every time.)",
        .formula = "i, f, o = σ(from_input + h U + b),  g = tanh(…),  c' = f·c + i·g,  "
                   "h' = o·tanh(c')",
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .op = "stack",
        .title = "All states of the encoder",
        .text = "The state after each source token, one row each. It knows of the "
                "tokens before it, and not of those behind.",
        .formula = "S = h'[0], h'[1], ...",
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .op = "stack",
        .title = "All states of the decoder: the queries",
        .text =
            "The state after each target token, one row each: what the decoder asks "
            "the source with.",
        .formula = "Q = h'[0], h'[1], ...",
    },
    {
        .name = "scores",
        .part = {"attention.scores"},
        .title = "Scores: target rows, source columns",
        .text = "Each state of the decoder (row) is multiplied with each state of the "
                "encoder (column), number by number, and added up: the states are "
                "queries and keys. (In seq2seq-as-written the columns are the last "
                "states of all sentences of the batch.)",
        .formula = "scores = Q Sᵀ",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "weights",
        .part = {"attention.weights"},
        .title = "Softmax: the alignment",
        .text = "Each row of scores becomes shares that sum to 1: how much the next "
                "word takes from each column.",
        .formula =
            "weights[q, k] = exp(scores[q, k]) / Σ over all k of exp(scores[q, k])",
        .look = LOOK_HEATMAP,
    },
    {
        .name = "context",
        .part = {"attention.context"},
        .title = "Context: a mixture of the encoder's states",
        .text = "The states of the encoder, each times its share, added up: what was "
                "found in the source.",
        .formula = "context = weights · S",
    },
    {
        .name = "concat",
        .part = {"attention.concat"},
        .title = "Context and state side by side",
        .text = "What was found in the source stands in front, what the decoder has "
                "in mind behind it (in seq2seq-as-written the cell). The output layer "
                "reads both.",
        .formula = "concat = [context, h']",
    },
    {0},
};
