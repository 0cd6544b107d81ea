#include "base/language.h"
#include "store/config.h"
#include "text/tokenizer.h"

static bool check_ids(const Config *config, Error *error) {
    enum { PAD, START, END, UNKNOWN, MASK, IDS };
    const int id[] = {
        [PAD] = config->pad_id,   [START] = config->start_id,
        [END] = config->end_id,   [UNKNOWN] = config->unknown_id,
        [MASK] = config->mask_id,
    };
    static const char *const name[] = {"pad_id", "start_id", "end_id", "unknown_id",
                                       "mask_id"};
    int words = config->source_vocabulary;
    if (config->tokenizer == TOKENIZER_WORDS && config->unknown_id < 0)
        return fail(error, "a words tokenizer needs an unknown_id");
    if (config->decoder_layers && config->target_vocabulary < words)
        words = config->target_vocabulary;
    for (int i = 0; i < IDS; i++) {
        bool needed =
            config->encoder_layers && !config->masked_words && id[i] != config->mask_id;
        if (id[i] < 0 && !needed) continue;
        if (id[i] < 0)
            return fail(error,
                        "%s is %d; only a model without an encoder, or a masked "
                        "language model, can leave it out",
                        name[i], id[i]);
        if (id[i] >= words)
            return fail(error, "%s is %d, but the vocabulary has only %d words",
                        name[i], id[i], words);
        for (int j = 0; j < i; j++) {
            /* In a decoder-only model the same id may both start and end a text. */
            bool may_be_same = i == END && j == START && config->encoder_layers == 0;
            if (id[i] == id[j] && !may_be_same)
                return fail(error, "%s and %s are both %d; give each its own", name[j],
                            name[i], id[i]);
        }
    }
    return true;
}

static bool check_sizes(const Config *config, Error *error) {
    if (config->d_model % config->attention_heads != 0)
        return fail(error, "d_model is %d; expected a multiple of attention_heads (%d)",
                    config->d_model, config->attention_heads);
    int shared = config_key_value_heads(config);
    if (config->attention_heads % shared != 0)
        return fail(
            error, "attention_heads is %d; expected a multiple of key_value_heads (%d)",
            config->attention_heads, shared);
    if (config->position == POSITION_ROTARY &&
        config->d_model / config->attention_heads % 2 != 0)
        return fail(error,
                    "rotary positions rotate numbers in pairs, but a head has %d "
                    "(d_model / attention_heads); choose an even number or another "
                    "position",
                    config->d_model / config->attention_heads);
    if (config->position == POSITION_SINUSOIDAL && config->d_model % 2 != 0)
        return fail(error,
                    "d_model is %d, but sinusoidal positions need pairs of sine and "
                    "cosine; choose an even d_model or another position",
                    config->d_model);
    if (config->encoder_layers == 0 && config->decoder_layers == 0)
        return fail(error, "encoder_layers and decoder_layers are 0; a model needs "
                           "at least one layer");
    if (config->full_attention_every &&
        config->full_attention_first >= config->full_attention_every)
        return fail(error,
                    "full_attention_first is %d, but the %d layers are numbered 0 to "
                    "%d",
                    config->full_attention_first, config->full_attention_every,
                    config->full_attention_every - 1);
    if (config->share_layers && config->attention_window &&
        config->full_attention_every)
        return fail(error, "share_layers uses one layer for all, so some layers "
                           "cannot see all while others have a window; set "
                           "full_attention_every to 0");
    return true;
}

static bool check_sharing(const Config *config, Error *error) {
    bool is_alone = config->encoder_layers == 0;
    if (config->masked_words && (is_alone || config->decoder_layers))
        return fail(error,
                    "masked_words needs an encoder-only model; found %d "
                    "encoder_layers and %d decoder_layers",
                    config->encoder_layers, config->decoder_layers);
    if (config->masked_words && config->source_vocabulary != config->target_vocabulary)
        return fail(error,
                    "masked_words needs one vocabulary, but the source has %d words "
                    "and the target %d",
                    config->source_vocabulary, config->target_vocabulary);
    if (is_alone && config->token_types)
        return fail(error, "token_types are added in the encoder, but encoder_layers "
                           "is 0");
    if (is_alone && config->source_vocabulary != config->target_vocabulary)
        return fail(error,
                    "a model without an encoder has one vocabulary, but the source "
                    "has %d words and the target %d",
                    config->source_vocabulary, config->target_vocabulary);
    if (is_alone && config->share_embeddings)
        return fail(error, "share_embeddings needs two sides, but encoder_layers is 0");
    if (config->share_embeddings &&
        config->source_vocabulary != config->target_vocabulary)
        return fail(error,
                    "share_embeddings needs equal vocabularies, but the source has %d "
                    "words and the target %d",
                    config->source_vocabulary, config->target_vocabulary);
    return true;
}

static bool has_layers(const Config *config) {
    return config->model_type != MODEL_SEQ2SEQ && config->encoder_type != ENCODER_RNN;
}

static bool has_cross_attention(const Config *config) {
    return config->decoder_layers && config->encoder_layers && has_layers(config);
}

static bool is_classifier(const Config *config) {
    return config->model_type == MODEL_CLASSIFIER && has_layers(config);
}

static bool is_seq2seq(const Config *config) {
    return config->model_type == MODEL_SEQ2SEQ;
}

/* In the order of their bits. Each is valid for only one kind of model. */
static const struct {
    const char *name;
    bool (*fits)(const Config *config);
    const char *needs;
} mistakes[] = {
    {"cross_query_from_encoder", has_cross_attention,
     N_("a decoder with cross-attention")},
    {"residual_from_norm", has_layers, N_("layers")},
    {"activation_dropped", has_layers, N_("a feed-forward")},
    {"decoder_without_positions", has_layers, N_("positions")},
    {"mask_hides_self", has_layers, N_("a mask")},
    {"mean_with_padding", is_classifier, N_("a classifier's mean")},
    {"keys_are_last_state", is_seq2seq, N_("model_type seq2seq")},
    {"lstm_restarts", is_seq2seq, N_("model_type seq2seq")},
    {"cell_for_state", is_seq2seq, N_("model_type seq2seq")},
    {"padding_not_hidden", is_classifier, N_("a classifier's attention")},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

const char *config_mistake(int i) {
    return i < MISTAKES ? mistakes[i].name : NULL;
}

/* An option with only one possible value in this type of model. */
typedef struct {
    const char *name;
    bool fits;
    const char *must; /* the required value */
} Fixed;

static bool check_fixed(const char *type, const Fixed *fixed, int count, Error *error) {
    for (int f = 0; f < count; f++)
        if (!fixed[f].fits)
            return fail(error, "%s must be %s in a model of type %s", fixed[f].name,
                        tr(fixed[f].must), tr(type));
    return true;
}

/* Options that do not apply to a recurrent model, which has no layers or heads. */
static bool check_recurrent(const char *type, const Config *config, Error *error) {
    const Fixed fixed[] = {
        {"hidden_size", config->hidden_size > 0, N_("1 or more")},
        {"encoder_layers", config->encoder_layers == 1, "1"},
        {"attention_heads", config->attention_heads == 1, "1"},
        {"key_value_heads", config->key_value_heads <= 1, "0"},
        {"d_ff", config->d_ff == 0, "0"},
        {"feed_forward_gate", !config->feed_forward_gate, "false"},
        {"norm", config->norm == NORM_NONE, "none"},
        {"norm_type", config->norm_type == NORM_TYPE_LAYER, "layer"},
        {"embedding_norm", !config->embedding_norm, "false"},
        {"token_types", config->token_types == 0, "0"},
        {"attention_window", config->attention_window == 0, "0"},
        {"masked_words", !config->masked_words, "false"},
        {"final_norm", !config->final_norm, "false"},
        {"residual", !config->residual, "false"},
        {"position", config->position == POSITION_NONE, "none"},
        {"encoder_causal", !config->encoder_causal, "false"},
        {"attention_dropout", config->attention_dropout == 0, "0"},
        {"activation_dropout", config->activation_dropout == 0, "0"},
    };
    return check_fixed(type, fixed, sizeof fixed / sizeof *fixed, error);
}

static bool check_transformer(const Config *config, Error *error) {
    const Fixed fixed[] = {
        {"encoder_type", config->encoder_type == ENCODER_TRANSFORMER, "transformer"},
        {"label_activation", config->label_activation == LABEL_SOFTMAX, "softmax"},
    };
    return check_fixed("transformer", fixed, sizeof fixed / sizeof *fixed, error) &&
           check_sizes(config, error) && check_sharing(config, error);
}

static bool check_classifier(const Config *config, Error *error) {
    const Fixed fixed[] = {
        {"decoder_layers", config->decoder_layers == 0, "0"},
        {"share_embeddings", !config->share_embeddings, "false"},
        {"tie_embeddings", !config->tie_embeddings, "false"},
        {"masked_words", !config->masked_words, "false"},
        {"encoder_layers", config->encoder_layers > 0, N_("1 or more")},
    };
    if (config->label_count < 2)
        return fail(error,
                    "labels has %d names; a classifier needs two or more, as in "
                    "--labels bad,good",
                    config->label_count);
    if (config->label_activation == LABEL_SIGMOID && config->label_count != 2)
        return fail(error,
                    "label_activation is sigmoid, which needs two labels; labels has "
                    "%d",
                    config->label_count);
    return check_fixed("classifier", fixed, sizeof fixed / sizeof *fixed, error) &&
           (config->encoder_type == ENCODER_RNN
                ? check_recurrent(N_("classifier with an rnn"), config, error)
                : check_sizes(config, error));
}

static bool check_seq2seq(const Config *config, Error *error) {
    const Fixed fixed[] = {
        {"encoder_type", config->encoder_type == ENCODER_TRANSFORMER, "transformer"},
        {"label_activation", config->label_activation == LABEL_SOFTMAX, "softmax"},
        {"decoder_layers", config->decoder_layers == 1, "1"},
        {"tie_embeddings", !config->tie_embeddings, "false"},
    };
    return check_recurrent("seq2seq", config, error) &&
           check_fixed("seq2seq", fixed, sizeof fixed / sizeof *fixed, error) &&
           check_sharing(config, error);
}

bool config_check(const Config *config, Error *error) {
    static bool (*const check[])(const Config *, Error *) = {
        [MODEL_TRANSFORMER] = check_transformer,
        [MODEL_CLASSIFIER] = check_classifier,
        [MODEL_SEQ2SEQ] = check_seq2seq,
    };
    if (!check[config->model_type](config, error) || !check_ids(config, error))
        return false;
    for (int m = 0; m < MISTAKES; m++)
        if (config->as_written & 1 << m && !mistakes[m].fits(config))
            return fail(error, "as_written has %s, which needs %s", mistakes[m].name,
                        tr(mistakes[m].needs));
    return true;
}
