#include <stddef.h>

#include "explain/stage.h"

const StageKind stage_kinds_classifier[] = {
    {
        .name = "mean",
        .part = {"mean"},
        .stack = "encoder",
        .title = "Mean: one row for the whole sentence",
        .text = "The rows of the tokens are added up and divided by how many there "
                "are. :why of one number shows which tokens count, and what each "
                "brings.",
    },
    {
        .name = "logits",
        .part = {"logits"},
        .axis = "label",
        .title = "Logits: a score for every label",
        .text = "A last matrix has one row of weights for each label. Multiplied "
                "with the mean it gives the label's score.",
        .look = LOOK_BARS,
    },
    {
        .name = "probabilities",
        .part = {"probabilities"},
        .axis = "label",
        .title = "Probabilities: the decision",
        .text = "The scores become shares that sum to 1. The label with the largest"
                " is the answer.",
        .look = LOOK_BARS,
    },
    {0},
};
