#include "store/config.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "ops/ops.h"
#include "text/tokenizer.h"

static const char *const model_types[] = {"transformer", "classifier", "seq2seq", NULL};
static const char *const encoder_types[] = {"transformer", "rnn", NULL};
static const char *const label_activations[] = {"softmax", "sigmoid", NULL};
static const char *const norm_places[] = {"post", "pre", "none", NULL};
static const char *const norm_types[] = {"layer", "rms", "rms_plain", NULL};
static const char *const position_kinds[] = {"sinusoidal", "learned", "rotary", "none",
                                             NULL};
static const char *const stored_kinds[] = {"f32", "f16", NULL};
static const char *const mask_modes[] = {"fill", "add", NULL};

/* A whole number instead of names means that many labels, named 0, 1, 2 ... */
static const OptionKind labels_kind = {
    OPTION_LIST, .types = 1 << JSON_LIST | 1 << JSON_WHOLE, .separator = ','};

#define KEY(...) OPTION(Config, __VA_ARGS__)
#define RANGE(least_, most_) .min = (least_), .max = (most_)
#define CHOICES(list) .choices = (list)
#define ANY .choices = NULL
#define FIRST .is_first = true

/* The defaults are the values of the paper, section 3. */
const Option config_keys[] = {
    KEY(model_type, option_choice, "transformer", "the kind of model",
        CHOICES(model_types)),
    KEY(encoder_type, option_choice, "transformer",
        "the network that reads the sentence (classifier); rnn is a plain one",
        CHOICES(encoder_types)),
    KEY(preset, option_text, "", "the preset it started as; informational", ANY),
    KEY(d_model, option_count, "512", "numbers per token", RANGE(1, 16384), FIRST),
    KEY(encoder_layers, option_count, "6", "layers of the encoder",
        RANGE(0, LAYERS_MAX), FIRST),
    KEY(decoder_layers, option_count, "6", "layers of the decoder; 0: no decoder",
        RANGE(0, LAYERS_MAX), FIRST),
    KEY(attention_heads, option_count, "8", "heads that share d_model", RANGE(1, 1024),
        FIRST),
    KEY(key_value_heads, option_count, "0",
        "heads of keys and values, each used by equally many query heads; 0: one for "
        "each query head",
        RANGE(0, 1024)),
    KEY(d_ff, option_count, "2048", "width of the feed-forward network; 0: none",
        RANGE(0, 65536), FIRST),
    KEY(hidden_size, option_count, "0", "width of the LSTM (seq2seq) or RNN",
        RANGE(0, 16384)),
    KEY(activation, option_choice, "relu", "activation of the feed-forward network",
        CHOICES(activation_names), FIRST),
    KEY(attention_output_projection, option_truth, "true",
        "output projection W_O after the heads; false: the heads are the output", ANY),
    KEY(attention_output_activation, option_choice, "none",
        "activation after the output projection of attention",
        CHOICES(activation_names)),
    KEY(feed_forward_output_activation, option_choice, "none",
        "activation after the feed-forward network", CHOICES(activation_names)),
    KEY(feed_forward_gate, option_truth, "false",
        "a gate: a second matrix next to the first; its activated result multiplies "
        "the first's",
        ANY),
    KEY(norm, option_choice, "post",
        "normalization after (post) or before (pre) "
        "each sublayer",
        CHOICES(norm_places), FIRST),
    KEY(norm_type, option_choice, "layer",
        "kind of norm: rms is RMSNorm, without mean and bias; rms_plain has nothing "
        "to learn",
        CHOICES(norm_types)),
    KEY(embedding_norm, option_truth, "false", "normalize the input of the first layer",
        ANY),
    KEY(final_norm, option_truth, "false", "normalize the output of each stack", ANY),
    KEY(residual, option_truth, "true", "add a sublayer's input to its output", ANY),
    KEY(query_key_value_bias, option_truth, "true",
        "the query, key and value projections add a bias", ANY),
    KEY(attention_output_bias, option_truth, "true",
        "the output projection of the heads adds a bias", ANY),
    KEY(feed_forward_bias, option_truth, "true",
        "the layers of the feed-forward network add a bias", ANY),
    KEY(logits_bias, option_truth, "true", "the output layer adds a bias", ANY),
    KEY(position, option_choice, "sinusoidal", "how positions are encoded",
        CHOICES(position_kinds), FIRST),
    KEY(position_offset, option_count, "0",
        "with position learned: the row of the table for the first token",
        RANGE(0, 65535)),
    KEY(rotary_base, option_number, "10000",
        "with position rotary: pair i is rotated by position / base^(2i / d_head)",
        RANGE(1, 1e9)),
    KEY(token_types, option_count, "0",
        "token types with a row of their own, which is added (first and second "
        "sentence of a pair); 0: none",
        RANGE(0, 16)),
    KEY(scale_embedding, option_truth, "true", "embeddings times the root of d_model",
        ANY),
    KEY(scale_scores, option_truth, "true", "scores divided by the root of d_head",
        ANY),
    KEY(mask_mode, option_choice, "fill",
        "masked scores are filled with, or increased by (add) ...",
        CHOICES(mask_modes)),
    KEY(mask_value, option_number, "-inf", "... this; -inf masks completely",
        RANGE(-INFINITY, 0)),
    KEY(causal, option_truth, "true", "the decoder does not see later tokens", ANY),
    KEY(encoder_causal, option_truth, "false", "the encoder does not see later tokens",
        ANY),
    KEY(attention_window, option_count, "0",
        "a token does not see tokens N or more positions away; 0: it sees all",
        RANGE(0, 65536)),
    KEY(full_attention_every, option_count, "0",
        "every Nth layer has no window and sees all; 0: none", RANGE(0, LAYERS_MAX)),
    KEY(full_attention_first, option_count, "0",
        "the first layer that attends to all tokens, 0 to N-1", RANGE(0, LAYERS_MAX)),
    KEY(share_layers, option_truth, "false", "all layers share one set of weights",
        ANY),
    KEY(share_embeddings, option_truth, "false", "one embedding table for both sides",
        ANY),
    KEY(tie_embeddings, option_truth, "false",
        "the embedding table is also the output matrix", ANY),
    KEY(masked_words, option_truth, "false", "encoder-only: predicts masked tokens",
        ANY),
    KEY(layer_norm_epsilon, option_number, "1e-5",
        "added in the norm to avoid "
        "dividing by 0",
        RANGE(0, 1)),
    KEY(dropout, option_number, "0.1", "fraction of numbers dropped in training",
        RANGE(0, 0.99)),
    KEY(attention_dropout, option_number, "0",
        "fraction of attention weights dropped in training", RANGE(0, 0.99)),
    KEY(activation_dropout, option_number, "0",
        "fraction dropped in training after the activation of the feed-forward network",
        RANGE(0, 0.99)),
    KEY(max_length, option_count, "512", "tokens of the longest sentence",
        RANGE(1, 65536)),
    KEY(source_vocabulary, option_count, "8000", "size of the source vocabulary",
        RANGE(1, 1 << 20), FIRST),
    KEY(target_vocabulary, option_count, "8000", "size of the target vocabulary",
        RANGE(1, 1 << 20), FIRST),
    KEY(pad_id, option_count, "0", "id that fills short rows of a batch; -1: none",
        RANGE(-1, 1 << 20)),
    KEY(start_id, option_count, "1",
        "id that starts every target (without an encoder, every prompt); -1: none",
        RANGE(-1, 1 << 20)),
    KEY(end_id, option_count, "2", "id that ends every sentence; -1: none",
        RANGE(-1, 1 << 20)),
    KEY(unknown_id, option_count, "3",
        "id of a word that is not in the vocabulary; "
        "-1: none",
        RANGE(-1, 1 << 20)),
    KEY(mask_id, option_count, "-1", "id that replaces a masked token; -1: none",
        RANGE(-1, 1 << 20)),
    KEY(tokenizer, option_choice, "none", "how text becomes ids",
        CHOICES(tokenizer_kinds)),
    KEY(labels, labels_kind, "", "names of the labels (classifier)", .max = LABELS_MAX,
        .items = N_("names"), .count = offsetof(Config, label_count)),
    KEY(label_activation, option_choice, "softmax",
        "turns logits into probabilities; sigmoid: from one logit, for two labels",
        CHOICES(label_activations)),
    KEY(stored_as, option_choice, "f32",
        "format of saved weights; f16: half the size, about three digits",
        CHOICES(stored_kinds)),
    KEY(as_written, option_set_of, "", "mistakes of the tutorials, kept for study",
        .choice = config_mistake),
    {0},
};

bool config_set(Config *config, const char *name, const char *value, Arena *arena,
                Error *error) {
    const Option *key = option_find_flag(config_keys, name);
    if (!key)
        return fail(error, "there is no option '%s'; :new --options lists the options",
                    name);
    if (option_set(key, config, value, arena)) return true;
    return fail(error, "%s is '%s'; expected %s", key->name, value,
                option_range(key, arena));
}

bool config_is_decoder_alone(const Config *config) {
    return config->model_type == MODEL_TRANSFORMER && config->encoder_layers == 0;
}

bool config_learns_texts(const Config *config) {
    return config_is_decoder_alone(config) || config->masked_words;
}

bool config_has_words(const Config *config) {
    return config->decoder_layers > 0 || config->masked_words;
}

int config_key_value_heads(const Config *config) {
    return config->key_value_heads ? config->key_value_heads : config->attention_heads;
}

const char *config_print(const Config *config, Arena *arena) {
    return options_print_json(config_keys, config, arena);
}

bool config_holds(const Config *config, const char *conditions) {
    Arena arena = {0};
    bool all = true;
    for (size_t length; all && *conditions; conditions += length) {
        conditions += strspn(conditions, " ");
        length = strcspn(conditions, " ");
        if (length == 0) break;
        /* "norm=pre", or "norm!=pre" */
        char *condition = arena_copy(&arena, conditions, length);
        char *value = strchr(condition, '=');
        assert(value && value > condition);
        bool denied = value[-1] == '!';
        value[denied ? -1 : 0] = '\0';
        const Option *key = option_find(config_keys, condition);
        assert(key);
        value++;
        bool has = !*value || option_listed(option_print(key, config, &arena), ',',
                                            value, strlen(value));
        all = has != denied;
    }
    arena_free(&arena);
    return all;
}
