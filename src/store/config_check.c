#include "base/language.h"
#include "store/config.h"

static bool check_ids(const Config *config, Error *error) {
    const int id[] = {config->pad_id, config->start_id, config->end_id,
                      config->unknown_id};
    static const char *const name[] = {"pad_id", "start_id", "end_id", "unknown_id"};
    enum { IDS = sizeof id / sizeof *id };
    int words = config->source_vocabulary;
    if (config->decoder_layers && config->target_vocabulary < words)
        words = config->target_vocabulary;
    for (int i = 0; i < IDS; i++) {
        if (id[i] >= words)
            return fail(error, "%s is %d, but the vocabulary has only %d words",
                        name[i], id[i], words);
        for (int j = 0; j < i; j++)
            if (id[i] == id[j])
                return fail(error, "%s and %s are both %d; each needs its own", name[j],
                            name[i], id[i]);
    }
    return true;
}

static bool check_sizes(const Config *config, Error *error) {
    if (config->d_model % config->attention_heads != 0)
        return fail(error,
                    "d_model is %d, which %d attention_heads cannot share equally: "
                    "choose a multiple",
                    config->d_model, config->attention_heads);
    if (config->position == POSITION_SINUSOIDAL && config->d_model % 2 != 0)
        return fail(error,
                    "d_model is %d, but sinusoidal positions come in pairs of a sine "
                    "and a cosine: choose an even d_model or another position",
                    config->d_model);
    if (config->encoder_layers == 0)
        return fail(error, "encoder_layers is 0: a model needs at least one");
    return true;
}

static bool check_sharing(const Config *config, Error *error) {
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
    return config->decoder_layers && has_layers(config);
}

static bool is_classifier(const Config *config) {
    return config->model_type == MODEL_CLASSIFIER && has_layers(config);
}

static bool is_seq2seq(const Config *config) {
    return config->model_type == MODEL_SEQ2SEQ;
}

/* In the order of their bits. Each makes sense in one kind of model only. */
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

static bool check_mistakes(const Config *config, Error *error) {
    for (int m = 0; m < MISTAKES; m++)
        if (config->as_written & 1 << m && !mistakes[m].fits(config))
            return fail(error, "as_written has %s, which needs %s", mistakes[m].name,
                        said(mistakes[m].needs));
    return true;
}

/* An option that this type of model has no choice in. */
typedef struct {
    const char *name;
    bool fits;
    const char *must; /* what it has to be */
} Fixed;

static bool check_fixed(const char *type, const Fixed *fixed, int count, Error *error) {
    for (int f = 0; f < count; f++)
        if (!fixed[f].fits)
            return fail(error, "%s must be %s in a model of type %s", fixed[f].name,
                        said(fixed[f].must), said(type));
    return true;
}

/* What a model that reads token by token has instead of layers. */
static bool check_recurrent(const char *type, const Config *config, Error *error) {
    const Fixed fixed[] = {
        {"hidden_size", config->hidden_size > 0, N_("1 or more")},
        {"encoder_layers", config->encoder_layers == 1, "1"},
        {"attention_heads", config->attention_heads == 1, "1"},
        {"d_ff", config->d_ff == 0, "0"},
        {"norm", config->norm == NORM_NONE, "none"},
        {"norm_type", config->norm_type == NORM_TYPE_LAYER, "layer"},
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
    };
    if (config->label_count < 2)
        return fail(error,
                    "labels names %d, but a classifier chooses between two or more: "
                    "--labels bad,good",
                    config->label_count);
    if (config->label_activation == LABEL_SIGMOID && config->label_count != 2)
        return fail(error,
                    "label_activation is sigmoid, which decides between two labels, "
                    "but labels names %d",
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
    return check[config->model_type](config, error) && check_ids(config, error) &&
           check_mistakes(config, error);
}
