#include "base/arena.h"
#include "base/language.h"
#include "walk/stage.h"

const StageRemark stage_remarks[] = {
    {"self_attention.scores|cross_attention.scores",
     "self_attention.weights|cross_attention.weights", "scale_scores=false",
     N_("Unlike the paper, this model does not divide the scores by √d_head. The "
        "tutorial of the preset pytorch computes √d_head but does not use it, which is "
        "a mistake.")},
    {"embedding", "embedding", "scale_embedding=false model_type!=seq2seq",
     N_("Unlike the paper, this model does not multiply these rows by √d_model.")},
    {"embedding", "embedding", "position=rotary",
     N_("Unlike the paper, this model adds no positions here. Instead, it rotates "
        "queries and keys by their positions.")},
    {"embedding", "embedding", "position=none model_type!=seq2seq encoder_type!=rnn",
     N_("Unlike the paper, this model adds no positions. Without a look-ahead mask, it "
        "cannot know the order of its tokens.")},
    {"self_attention.concat|cross_attention.concat",
     "self_attention.weights|cross_attention.weights",
     "attention_output_projection=false",
     N_("In the paper, an output projection W_O follows; this model has none.")},
    {"self_attention.masked", "self_attention.weights",
     "attention_window!=0 as_written!=padding_not_hidden",
     N_("A layer with a window also hides the tokens that are attention_window or more "
        "positions away. `:option` shows which layers have one "
        "(full_attention_every).")},
    {"self_attention.output", "self_attention.weights",
     "norm=none residual=false model_type!=seq2seq",
     N_("Unlike the paper, this model neither adds the input here nor normalizes the "
        "result.")},
    {"add_1", "add_1", "norm=none residual=true",
     N_("The paper normalizes the sum; this model does not.")},
    {"self_attention.output", "self_attention.weights", "d_ff=0 model_type!=seq2seq",
     N_("In the paper, a feed-forward network follows; this model has none.")},
    {"self_attention.query_projection", NULL, "share_layers=true encoder_layers!=1",
     N_("All layers of this stack share the same matrices.")},
    {"cross_attention.query_projection", "cross_attention.weights",
     "as_written=cross_query_from_encoder",
     N_("As in the tutorial: attention is called with query = key = the encoder's "
        "output and value = the decoder's state. This works only if both have the same "
        "length. In the paper, the query comes from the decoder, the key and the value "
        "from the encoder.")},
    {"decoder.add_1|decoder.add_2|decoder.add_3",
     "decoder.self_attention.weights|cross_attention.weights|decoder.feed_forward."
     "hidden",
     "as_written=residual_from_norm norm=pre residual=true",
     N_("As in the tutorial: the normalized input is added to the sublayer's output. "
        "Pre-norm adds the input from before the norm.")},
    {"encoder.add_2", "encoder.feed_forward.hidden",
     "as_written=residual_from_norm norm=pre residual=true",
     N_("As in the tutorial: the normalized input is added to the feed-forward's "
        "output. Pre-norm adds the input from before the norm.")},
    {"feed_forward.hidden", "feed_forward.hidden",
     "as_written=activation_dropped feed_forward_gate=false",
     N_("As in the tutorial: the result of the activation is not used. The second "
        "matrix reads \"hidden\"; in the paper, it reads the activated numbers.")},
    {"decoder.embedding", "encoder.position",
     "as_written=decoder_without_positions position!=none position!=rotary",
     N_("As in the tutorial: the decoder adds no positions, so only its look-ahead "
        "mask depends on the order of its tokens. In the paper, both encoder and "
        "decoder add positions.")},
    {"decoder.embedding", "encoder.embedding",
     "as_written=decoder_without_positions position=rotary",
     N_("As in the tutorial: the decoder adds no positions and does not rotate by "
        "them, so only its look-ahead mask depends on the order of its tokens.")},
    {"decoder.self_attention.masked", "decoder.self_attention.weights",
     "as_written=mask_hides_self causal=true",
     N_("As in the tutorial: the mask also covers the diagonal. No token sees itself, "
        "so the first token sees nothing. In the paper, a token sees itself and "
        "earlier tokens.")},
    {"decoder.self_attention.weights", "decoder.self_attention.weights",
     "as_written=mask_hides_self causal=true mask_value=-1e+09 norm!=none",
     N_("The whole first row is masked. Its scores are about the same large negative "
        "number, so its weights are equal.")},
    {"mean", "mean", "as_written=mean_with_padding",
     N_("As in the tutorial: padding counts as a token, so a sentence's mean depends "
        "on the length of the longest sentence in its batch. Padding should not "
        "count.")},
    {"self_attention.scores", "self_attention.weights", "as_written=padding_not_hidden",
     N_("As in the tutorial: nothing is masked, so tokens attend to padding. In the "
        "paper, padding is masked.")},
    {"decoder.scores", NULL, "as_written=keys_are_last_state",
     N_("As in the tutorial: the only key is one state, the encoder's last at the "
        "first step and then the decoder's previous one. Because it has no token axis, "
        "attention runs across the sentences of the batch. The keys should be all "
        "states of the encoder.")},
    {"decoder.state", "decoder.state", "as_written=lstm_restarts",
     N_("As in the tutorial: the LSTM restarts from zero at every token, so it forgets "
        "earlier tokens. It should continue from its previous state, and at first from "
        "the encoder's.")},
    {"attention.concat", "probabilities", "as_written=cell_for_state",
     N_("As in the tutorial: besides the context, the output layer reads the LSTM's "
        "cell. It should read the LSTM's state.")},
    {0},
};

bool remark_stands(const StageRemark *remark, const char *stack, const char *part,
                   bool is_box) {
    const char *places = is_box ? remark->box : remark->parts;
    Arena arena = {0};
    bool stands =
        places && (stage_lists(places, part) ||
                   stage_lists(places, arena_print(&arena, "%s.%s", stack, part)));
    arena_free(&arena);
    return stands;
}
