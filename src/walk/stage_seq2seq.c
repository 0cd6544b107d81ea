#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

const StageKind stage_kinds_seq2seq[] = {
    {
        .name = "lstm-input",
        .part = {"lstm.from_input"},
        .stack = "encoder",
        .title = N_("What each token says to the gates"),
        .text = N_("Each token's row is multiplied with a learned matrix. The result "
                   "is four times as wide as the memory: one part each for the input, "
                   "forget, cell and output gate."),
    },
    {
        .name = "lstm-input",
        .part = {"lstm.from_input"},
        .stack = "decoder",
        .title = N_("What each target token says to the gates"),
        .text = N_("The same for the target, with a matrix of its own."),
    },
    {
        .name = "step",
        .part = {"input_gate", "forget_gate", "cell_gate", "output_gate", "cell",
                 "state"},
        .stack = "encoder",
        .title = N_("LSTM: read $token"),
        .text = N_("The token and the state before it decide together, number by "
                   "number: what the cell forgets, what new it takes in, and how much "
                   "of it shows. Padding is read like any token."),
    },
    {
        .name = "step",
        .part = {"input_gate", "forget_gate", "cell_gate", "output_gate", "cell",
                 "state"},
        .stack = "decoder",
        .when = "as_written!=lstm_restarts",
        .title = N_("LSTM: read $token"),
        .text = N_("The decoder's LSTM begins with the state in which the encoder's "
                   "ended, and its own state goes on from token to token: the line of "
                   "the cell names the one that was read."),
    },
    {
        .name = "step",
        .part = {"input_gate", "forget_gate", "cell_gate", "output_gate", "cell",
                 "state"},
        .stack = "decoder",
        .title = N_("LSTM: read $token"),
        .text = N_("The token alone decides, number by number: what the cell forgets, "
                   "what new it takes in, and how much of it shows."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .op = "stack",
        .title = N_("All states of the encoder"),
        .text = N_("The state after each source token, one row each. It knows of the "
                   "tokens before it, and not of those behind."),
    },
    {
        .name = "decoder-output",
        .part = {"output"},
        .stack = "decoder",
        .op = "stack",
        .title = N_("All states of the decoder: the queries"),
        .text = N_("The state after each target token, one row each: what the decoder "
                   "asks the source with."),
    },
    {
        .name = "scores",
        .part = {"attention.scores"},
        .title = N_("Scores: target rows, source columns"),
        .text = N_("Each state of the decoder (row) is multiplied with each state of "
                   "the encoder (column), number by number, and added up: the states "
                   "are queries and keys."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "scaled",
        .part = {"attention.scaled"},
        .title = N_("Scaled by √d_k"),
        .text = N_("A score is a sum of as many products as a state has numbers (d_k),"
                   " so scores spread √d_k times as wide as one product does. Divided "
                   "by that, they stay where the softmax still answers to small "
                   "changes."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "weights",
        .part = {"attention.weights"},
        .title = N_("Softmax: the alignment"),
        .text = N_("Each row of scores becomes shares that sum to 1: how much the next"
                   " word takes from each column."),
        .look = LOOK_HEATMAP,
    },
    {
        .name = "context",
        .part = {"attention.context"},
        .when = "as_written!=keys_are_last_state",
        .title = N_("Context: a mixture of the encoder's states"),
        .text = N_("The states of the encoder, each times its share, added up: what "
                   "was found in the source."),
    },
    {
        .name = "context",
        .part = {"attention.context"},
        .title = N_("Context: what each step found"),
        .text = N_("What the steps found, one below the other."),
    },
    {
        .name = "attention",
        .part = {"scores", "scaled", "weights", "context"},
        .stack = "decoder",
        .when = "as_written=keys_are_last_state",
        .title = N_("Attention at $token, across the batch"),
        .text = N_("The state of each sentence of the batch (row) is compared with one"
                   " state of every sentence (column), and takes a mixture of them."),
    },
    {
        .name = "concat",
        .part = {"attention.concat"},
        .title = N_("Context and state side by side"),
        .text = N_("What was found stands in front, what the decoder has in mind "
                   "behind it. The output layer reads both."),
    },
    {0},
};
