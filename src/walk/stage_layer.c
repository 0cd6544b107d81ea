#include <stddef.h>

#include "base/language.h"
#include "walk/stage.h"

/* Where a layer has the same box again. */
static const char *const norm_alone =
    N_("$op This model does not add the input again.");
static const char *const added_and_normed_again =
    N_("Again the input of the sublayer is added and each row is normed.");
static const char *const normed_again =
    N_("Again each row is normed before it goes into the sublayer.");
static const char *const added_again =
    N_("Again what went in is added to what came out.");

const StageKind stage_kinds_layer[] = {
    {
        .name = "dropped",
        .part = {"input_dropped", "feed_forward.activated_dropped"},
        .title = N_("Dropout"),
        .text = N_("As in training, some numbers are set to 0 at random, so that the "
                   "model cannot rely on any of them; the others are divided by the "
                   "share that is kept."),
    },
    {
        .name = "dropped-1",
        .part = {"dropped_1"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "dropped-2",
        .part = {"dropped_2"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "dropped-3",
        .part = {"dropped_3"},
        .title = N_("Dropout, before it is added"),
        .text = N_("As in training, some numbers of what the sublayer made are set to "
                   "0 at random; the others are divided by the share that is kept."),
    },
    {
        .name = "add-norm-1",
        .part = {"add_1", "norm_1"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = N_("The input is added again, so that nothing is lost on the way "
                   "(residual connection). $op"),
    },
    {
        .name = "norm-1",
        .part = {"norm_1"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = N_("$op This model norms what goes into a sublayer; the paper norms "
                   "what comes out."),
    },
    {
        .name = "add-1",
        .part = {"add_1"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = N_("What went in is added to what came out, so that nothing is lost on"
                   " the way (residual connection)."),
    },
    {
        .name = "norm-1",
        .part = {"norm_1"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "add-norm-2",
        .part = {"add_2", "norm_2"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = added_and_normed_again,
    },
    {
        .name = "norm-2",
        .part = {"norm_2"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = normed_again,
    },
    {
        .name = "add-2",
        .part = {"add_2"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = added_again,
    },
    {
        .name = "norm-2",
        .part = {"norm_2"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "add-norm-3",
        .part = {"add_3", "norm_3"},
        .when = "norm=post residual=true",
        .title = N_("Add & norm"),
        .text = added_and_normed_again,
    },
    {
        .name = "norm-3",
        .part = {"norm_3"},
        .when = "norm=pre",
        .title = N_("Norm, before the sublayer"),
        .text = normed_again,
    },
    {
        .name = "add-3",
        .part = {"add_3"},
        .when = "norm!=post residual=true",
        .title = N_("Add: the way around the sublayer"),
        .text = added_again,
    },
    {
        .name = "norm-3",
        .part = {"norm_3"},
        .when = "norm=post residual=false",
        .title = N_("Norm"),
        .text = norm_alone,
    },
    {
        .name = "feed-forward",
        .part = {"feed_forward.hidden", "feed_forward.activated"},
        .when = "activation=none",
        .title = N_("Feed-forward: wider, without a bend"),
        .text = N_("Each token alone is projected to d_ff numbers. The paper bends the"
                   " line here (ReLU); this model does not, so its two matrices are no"
                   " more than one."),
    },
    {
        .name = "feed-forward",
        .part = {"feed_forward.hidden", "feed_forward.activated"},
        .title = N_("Feed-forward: wider, then a bend"),
        .text = N_("Each token alone is projected to d_ff numbers. $op Without a bend "
                   "two matrices would be no more than one."),
    },
    {
        .name = "feed-forward-output",
        .part = {"feed_forward.output_projection", "feed_forward.output"},
        .when = "feed_forward_output_activation=none",
        .title = N_("Feed-forward: back to d_model"),
        .text = N_("A second matrix brings the d_ff numbers back to the width of the "
                   "model."),
    },
    {
        .name = "feed-forward-output",
        .part = {"feed_forward.output_projection", "feed_forward.output"},
        .title = N_("Feed-forward: back to d_model, and an activation"),
        .text = N_("A second matrix brings the d_ff numbers back to the width of the "
                   "model. In this model an activation follows, which the paper does "
                   "not have."),
    },
    {0},
};
