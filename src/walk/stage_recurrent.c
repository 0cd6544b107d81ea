#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

/* Of a classifier, with an RNN or without, and of seq2seq with its LSTM. */
const StageKind stage_kinds_recurrent[] = {
    {
        .name = "rnn-input",
        .part = {"rnn.from_input"},
        .title = N_("What each token says to the state"),
        .text =
            N_("Each token's row is multiplied with a learned matrix: what it would "
               "put into the state if nothing had been read before."),
    },
    {
        .name = "step",
        .part = {"from_state", "state"},
        .when = "encoder_type=rnn",
        .title = N_("RNN: read $token"),
        .text =
            N_("The token and the state before it are added, number by number, and "
               "bent into -1 to 1: that is all the memory there is. It has no gates, "
               "so what was read long ago fades."),
    },
    {
        .name = "encoder-output",
        .part = {"output"},
        .stack = "encoder",
        .when = "encoder_type=rnn",
        .title = N_("All states of the RNN"),
        .text = N_("The state after each token, one row each. It knows of the tokens "
                   "before it, and not of those behind."),
    },
    {
        .name = "last-state",
        .part = {"last_state"},
        .title = N_("The last state: one row for the whole sentence"),
        .text = N_("Only the state after the last token that is no padding goes on: it "
                   "has to hold all that matters of the sentence."),
    },
    {
        .name = "mean",
        .part = {"mean"},
        .stack = "encoder",
        .title = N_("Mean: one row for the whole sentence"),
        .text = N_("The rows of the tokens are added up and divided by how many there "
                   "are. :why of one number shows which tokens count, and what each "
                   "brings."),
    },
    {
        .name = "logits",
        .part = {"logits"},
        .axis = "label",
        .when = "label_activation=sigmoid",
        .title = N_("Logit: a score for the second label"),
        .text =
            N_("One row of weights is enough for two labels: multiplied with the row "
               "of the sentence it says how much speaks for the second, and below 0 "
               "for the first."),
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .axis = "label",
        .when = "label_activation=sigmoid",
        .title = N_("Probabilities: the decision"),
        .text =
            N_("The sigmoid bends the score into a share between 0 and 1; the first "
               "label has the rest. The larger one is the answer."),
        .look = LOOK_BARS,
    },
    {
        .name = "logits",
        .part = {"logits"},
        .axis = "label",
        .title = N_("Logits: a score for every label"),
        .text = N_("A last matrix has one row of weights for each label. Multiplied "
                   "with the row of the sentence it gives the label's score."),
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .axis = "label",
        .title = N_("Probabilities: the decision"),
        .text = N_("The scores become shares that sum to 1. The label with the largest"
                   " is the answer."),
        .look = LOOK_BARS,
    },
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
