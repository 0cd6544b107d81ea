#include "base/language.h"
#include "store/config.h"

/* One row for each model of the tutorials that this program grew from: as it was meant,
 * and as it was written. Other options have the defaults of config.c: the values
 * of the paper. */
const Preset presets[] = {
    {
        .name = "paper",
        .options = "",
        .summary = N_("the encoder-decoder of \"Attention Is All You Need\" (2017)"),
    },
    {
        .name = "keras",
        .based_on = "paper",
        .options = "attention_output_activation=relu "
                   "feed_forward_output_activation=relu scale_embedding=false "
                   "mask_mode=add mask_value=-1e9 layer_norm_epsilon=1e-6 dropout=0.2",
        .summary = N_("a Keras tutorial: also ReLU after attention and feed-forward"),
    },
    {
        .name = "keras-as-written",
        .based_on = "keras",
        .options = "as_written=cross_query_from_encoder",
        .summary = N_("its mistake: cross-attention takes its queries from the "
                      "encoder"),
    },
    {
        .name = "prenorm",
        .based_on = "paper",
        .options = "norm=pre activation=gelu position=learned scale_embedding=false",
        .summary = N_("layer norm first, GELU, learned positions"),
    },
    {
        .name = "prenorm-as-written",
        .based_on = "prenorm",
        .options = "as_written=residual_from_norm",
        .summary = N_("its mistake: the residual path starts after the norm"),
    },
    {
        .name = "pytorch",
        .based_on = "paper",
        .options = "encoder_layers=2 decoder_layers=2 d_model=256 attention_heads=8 "
                   "d_ff=512 position=learned scale_embedding=false "
                   "scale_scores=false mask_value=-1e4 attention_dropout=0.1 "
                   "activation_dropout=0.1",
        .summary = N_("a PyTorch tutorial: by mistake, scores are not divided"),
    },
    {
        .name = "pytorch-as-written",
        .based_on = "pytorch",
        .options = "as_written=activation_dropped,decoder_without_positions",
        .summary = N_("other mistakes: ReLU is not used, no positions in the decoder"),
    },
    {
        .name = "kit",
        .based_on = "paper",
        .options = "d_model=256 encoder_layers=2 decoder_layers=2 d_ff=512 "
                   "activation=none share_layers=true share_embeddings=true "
                   "mask_mode=add mask_value=-1e9 layer_norm_epsilon=1e-6",
        .summary = N_("a chatbot kit: all layers share their weights"),
    },
    {
        .name = "kit-as-written",
        .based_on = "kit",
        .options = "as_written=mask_hides_self",
        .summary = N_("its mistake: the look-ahead mask also hides the token itself"),
    },
    {
        .name = "minimal",
        .based_on = "paper",
        .options = "encoder_layers=1 decoder_layers=0 d_ff=0 norm=none residual=false "
                   "position=none scale_embedding=false",
        .summary = N_("multi-head self-attention and nothing else"),
    },
    {
        .name = "single-head",
        .based_on = "minimal",
        .options = "attention_heads=1 attention_output_projection=false",
        .summary = N_("one head of self-attention, without an output projection"),
    },
    {
        .name = "classifier",
        .based_on = "kit",
        .options = "model_type=classifier decoder_layers=0 share_embeddings=false "
                   "labels=negative,positive",
        .summary = N_("the kit's encoder, the mean of its tokens, a label"),
    },
    {
        .name = "classifier-as-written",
        .based_on = "classifier",
        .options = "as_written=mean_with_padding,padding_not_hidden",
        .summary = N_("its mistakes: padding is not masked and counts in the mean"),
    },
    {
        .name = "classifier-binary",
        .based_on = "classifier",
        .options = "label_activation=sigmoid",
        .summary = N_("two labels from one number: sigmoid and binary cross-entropy"),
    },
    {
        .name = "classifier-rnn",
        .based_on = "classifier",
        .options = "encoder_type=rnn hidden_size=256 encoder_layers=1 "
                   "attention_heads=1 d_ff=0 norm=none residual=false position=none "
                   "scale_embedding=false share_layers=false",
        .summary = N_("its baseline: a plain RNN, and its last state"),
    },
    {
        .name = "seq2seq",
        .based_on = "paper",
        .options = "model_type=seq2seq d_model=256 hidden_size=256 encoder_layers=1 "
                   "decoder_layers=1 attention_heads=1 d_ff=0 norm=none "
                   "residual=false position=none scale_embedding=false",
        .summary = N_("before the Transformer: two LSTMs with attention between them"),
    },
    {
        .name = "seq2seq-as-written",
        .based_on = "seq2seq",
        .options = "as_written=keys_are_last_state,lstm_restarts,cell_for_state",
        .summary =
            N_("its mistakes: attends across the batch, restarts at every token, "
               "outputs the cell"),
    },
    {
        .name = "gpt2",
        .based_on = "paper",
        .options = "encoder_layers=0 decoder_layers=12 d_model=768 attention_heads=12 "
                   "d_ff=3072 activation=gelu_tanh norm=pre final_norm=true "
                   "position=learned scale_embedding=false tie_embeddings=true "
                   "logits_bias=false attention_dropout=0.1 max_length=1024",
        .summary = N_("decoder-only, like GPT-2 (2019): continues a text"),
    },
    {
        .name = "bert",
        .based_on = "paper",
        .options = "encoder_layers=12 decoder_layers=0 d_model=768 attention_heads=12 "
                   "d_ff=3072 activation=gelu position=learned embedding_norm=true "
                   "token_types=2 masked_words=true scale_embedding=false "
                   "tie_embeddings=true layer_norm_epsilon=1e-12 mask_id=4 "
                   "attention_dropout=0.1",
        .summary = N_("encoder-only, like BERT (2018): predicts masked tokens"),
    },
    {
        .name = "llama",
        .based_on = "gpt2",
        .options = "decoder_layers=6 d_model=288 attention_heads=6 d_ff=768 "
                   "norm_type=rms position=rotary activation=silu "
                   "feed_forward_gate=true query_key_value_bias=false "
                   "attention_output_bias=false feed_forward_bias=false dropout=0 "
                   "attention_dropout=0",
        .summary = N_("a small modern decoder, like Llama (2023): RMSNorm, rotary "
                      "positions, a gate"),
    },
    {
        .name = "microgpt",
        .based_on = "gpt2",
        .options = "decoder_layers=1 d_model=16 attention_heads=4 d_ff=64 "
                   "max_length=16 source_vocabulary=27 target_vocabulary=27 "
                   "norm_type=rms_plain embedding_norm=true final_norm=false "
                   "activation=relu query_key_value_bias=false "
                   "attention_output_bias=false feed_forward_bias=false "
                   "tie_embeddings=false dropout=0 attention_dropout=0",
        .summary = N_("a decoder small enough to read whole (2026): 4192 weights, 27 "
                      "letters, learns names"),
    },
    {0},
};
