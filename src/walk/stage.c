#include "walk/stage.h"

#include <stddef.h>

#include "base/language.h"

const StageKind *const stage_kinds[] = {stage_kinds_recurrent, stage_kinds_transformer,
                                        NULL};

const StageRemark stage_remarks[] = {
    {
        .when = "scale_scores=false",
        .part = {"self_attention.scores", "cross_attention.scores"},
        .text = N_("This model does not divide them by √d_k, as the paper does."),
    },
    {
        .when = "scale_embedding=false model_type!=seq2seq",
        .part = {"embedding"},
        .text = N_("This model does not multiply them by √d_model, as the paper does."),
    },
    {
        .when = "position=none model_type!=seq2seq encoder_type!=rnn",
        .part = {"embedding"},
        .text = N_("This model adds no positions: it cannot know the order of its "
                   "tokens."),
    },
    {
        .when = "attention_output_projection=false",
        .part = {"self_attention.concat", "cross_attention.concat"},
        .text = N_("In the paper a last matrix W_O follows; this model has no output "
                   "projection."),
    },
    {
        .when = "norm=none residual=false model_type!=seq2seq",
        .part = {"self_attention.output"},
        .text = N_("Neither is the input added again here, nor is the result normed, "
                   "as in the paper."),
    },
    {
        .when = "norm=none residual=true",
        .part = {"add_1"},
        .text = N_("The paper norms the sum; this model does not."),
    },
    {
        .when = "d_ff=0 model_type!=seq2seq",
        .part = {"self_attention.output"},
        .text = N_("No feed-forward follows, as it does in the paper."),
    },
    {
        .when = "share_layers=true encoder_layers!=1",
        .part = {"self_attention.query_projection"},
        .text = N_("All layers of a side are one and the same: every one uses these "
                   "matrices again."),
    },
    {
        .when = "as_written=cross_query_from_encoder",
        .part = {"cross_attention.query_projection"},
        .text = N_("As the tutorial wrote it: attention is called with query = key = "
                   "the encoder's output and value = the decoder's state, which works "
                   "only where both are of one length. In the paper the decoder asks, "
                   "and keys and values are the encoder's."),
    },
    {
        .when = "as_written=residual_from_norm norm=pre",
        .part = {"add_1", "add_2", "add_3"},
        .stack = "decoder",
        .text = N_("As the tutorial wrote it: the sublayer adds to its normed input. "
                   "In a pre-norm Transformer it adds to the input as it was before "
                   "the norm."),
    },
    {
        .when = "as_written=residual_from_norm norm=pre",
        .part = {"add_2"},
        .stack = "encoder",
        .text = N_("As the tutorial wrote it: the feed-forward adds to its normed "
                   "input. In a pre-norm Transformer it adds to the input as it was "
                   "before the norm."),
    },
    {
        .when = "as_written=activation_dropped",
        .part = {"feed_forward.hidden"},
        .text =
            N_("As the tutorial wrote it: what the activation gives is thrown "
               "away, and the second matrix reads \"hidden\". In the paper it reads "
               "what was activated."),
    },
    {
        .when = "as_written=decoder_without_positions",
        .part = {"embedding"},
        .stack = "decoder",
        .text = N_("As the tutorial wrote it: the decoder adds no positions, so that "
                   "it cannot tell the order of its words by them. In the paper both "
                   "sides have positions."),
    },
    {
        .when = "as_written=mask_hides_self causal=true",
        .part = {"self_attention.masked"},
        .stack = "decoder",
        .text = N_("As the tutorial wrote it: the mask covers the diagonal, too, so "
                   "that no token sees itself, and the first one has nothing to look "
                   "at. In the paper a token sees itself and what is before it."),
    },
    {
        .when = "as_written=mean_with_padding",
        .part = {"mean"},
        .text = N_("As the tutorial wrote it: padding counts like a word, so a "
                   "sentence alone in its batch has another mean than beside a longer "
                   "one. It should not count."),
    },
    {
        .when = "as_written=padding_not_hidden",
        .part = {"self_attention.scores"},
        .text = N_("As the tutorial wrote it: nothing is masked, so words look at "
                   "padding, too. In the paper padding is hidden."),
    },
    {
        .when = "as_written=keys_are_last_state",
        .part = {"scores"},
        .stack = "decoder",
        .text = N_("As the tutorial wrote it: the keys are one state only, the "
                   "encoder's last at the first step and then the decoder's own of the"
                   " step before. It has no axis for tokens, so the sentences of a "
                   "batch look at each other. They should be all states of the "
                   "encoder, word by word."),
    },
    {
        .when = "as_written=lstm_restarts",
        .part = {"state"},
        .stack = "decoder",
        .text = N_("As the tutorial wrote it: the LSTM begins anew with zeros at every"
                   " token, and forgets what was said. It should go on from the state "
                   "before, and at first from the encoder's."),
    },
    {
        .when = "as_written=cell_for_state",
        .part = {"attention.concat"},
        .text = N_("As the tutorial wrote it: what stands behind is the cell. It "
                   "should be the state, which is what the LSTM shows."),
    },
    {0},
};
