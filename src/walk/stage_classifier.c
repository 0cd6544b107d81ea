#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

const StageKind stage_kinds_classifier[] = {
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
    {0},
};
