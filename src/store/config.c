#include "store/config.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
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

/* A whole number instead of names: that many labels named 0, 1, 2 ... */
static const OptionKind labels_kind = {
    OPTION_LIST, .types = 1 << JSON_LIST | 1 << JSON_WHOLE, .separator = ','};

#define KEY(...) OPTION(Config, __VA_ARGS__)
#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define CHOICES(list) .choices = (list)
#define ANY .choices = NULL
#define FIRST .is_first = true

/* The defaults are the values of the paper, section 3. */
/* Return the name of bit `i` of as_written, or NULL. */
static const char *mistake_name(int i);

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
        "every Nth layer sees all in spite of the window; 0: none",
        RANGE(0, LAYERS_MAX)),
    KEY(full_attention_first, option_count, "0",
        "the first layer that sees all, 0 "
        "to N-1",
        RANGE(0, LAYERS_MAX)),
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
    KEY(attention_dropout, option_number, "0", "the same for attention weights",
        RANGE(0, 0.99)),
    KEY(activation_dropout, option_number, "0",
        "the same after the activation of the feed-forward network", RANGE(0, 0.99)),
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
    KEY(labels, labels_kind, "", "names of the labels (classifier)", .most = LABELS_MAX,
        .items = N_("names"), .count = offsetof(Config, label_count)),
    KEY(label_activation, option_choice, "softmax",
        "turns logits into probabilities; sigmoid: from one logit, for two labels",
        CHOICES(label_activations)),
    KEY(stored_as, option_choice, "f32",
        "format of saved weights; f16: half the size, about three digits",
        CHOICES(stored_kinds)),
    KEY(as_written, option_set_of, "", "mistakes of the tutorials, kept for study",
        .choice = mistake_name),
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

static const Preset *find_preset(const char *name) {
    for (const Preset *preset = presets; preset->name; preset++)
        if (strcmp(preset->name, name) == 0) return preset;
    return NULL;
}

/* Set each "key=value" of a preset's row, after those of the preset it is based on. */
static bool apply(Config *config, const Preset *preset, Arena *arena, Error *error) {
    const Preset *base = preset->based_on ? find_preset(preset->based_on) : NULL;
    if (base && !apply(config, base, arena, error)) return false;
    char *rest = arena_print(arena, "%s", preset->options);
    for (char *option = strtok_r(rest, " ", &rest); option;
         option = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(option, '=');
        *value++ = '\0';
        if (!config_set(config, option, value, arena, error)) return false;
    }
    config->preset = preset->name;
    return true;
}

bool config_preset(Config *config, const char *name, Arena *arena, Error *error) {
    const Preset *preset = find_preset(name);
    *config = (Config){0};
    option_reset(config_keys, config, arena);
    if (preset) return apply(config, preset, arena, error);
    const char *list = "";
    for (preset = presets; preset->name; preset++)
        list = arena_print(arena, "%s%s%s", list, *list ? ", " : "", preset->name);
    return fail(error, "there is no preset '%s'; the presets are: %s", name, list);
}

void config_keep(Config *config, Arena *arena) {
    config->preset = arena_print(arena, "%s", config->preset ? config->preset : "");
    for (int l = 0; l < config->label_count; l++)
        config->labels[l] = arena_print(arena, "%s", config->labels[l]);
}

/* Parse the kind of a layer in another family's list: does it see all keys? */
static bool read_kind(const Family *family, const Json *kind, bool *is_full) {
    if (kind->type != JSON_TEXT) return false;
    *is_full = strcmp(kind->text, family->full) == 0;
    return *is_full || strcmp(kind->text, family->window) == 0;
}

/* Parse GPT-Neo's attention_types, a list of [kinds, repetitions], or `list`, the kinds
 * themselves, into is_full[layer]. Fails unless there are exactly `layers`. */
static bool read_kinds(const Family *family, const Json *list, bool is_types,
                       int layers, bool *is_full) {
    int count = 0;
    for (int i = 0; list->type == JSON_LIST && i < list->count; i++) {
        const Json *item = &list->child[i], *kinds = item;
        long long times = 1;
        if (is_types) {
            if (item->type != JSON_LIST || item->count != 2) return false;
            kinds = &item->child[0];
            times = item->child[1].whole;
            if (kinds->type != JSON_LIST || kinds->count == 0) return false;
        }
        for (long long t = 0; t < times; t++)
            for (int k = 0; k < (is_types ? kinds->count : 1); k++)
                if (count == layers ||
                    !read_kind(family, is_types ? &kinds->child[k] : item,
                               &is_full[count++]))
                    return false;
    }
    return count == layers;
}

/* Read which layers have a window. */
static bool read_layers(const Family *family, const Json *json, const char *path,
                        Config *config, Error *error) {
    static const char types_key[] = "attention_types";
    const Json *list = json_find(json, family->layers);
    const Json *types = json_find(json, types_key);
    int layers = config->decoder_layers;
    bool is_full[LAYERS_MAX] = {false}, is_said[LAYERS_MAX] = {false};
    bool *last = list ? is_full : is_said;
    if (!list && !types)
        return fail(error,
                    "%s: \"%s\" does not list the kind of attention of each "
                    "layer; add it",
                    path, family->layers);
    if ((types && !read_kinds(family, types, true, layers, is_said)) ||
        (list && !read_kinds(family, list, false, layers, is_full)) ||
        (types && list && memcmp(is_full, is_said, sizeof is_full) != 0))
        return fail(error,
                    "%s: \"%s\" and \"%s\" must agree on each of %d layers: \"%s\" "
                    "or \"%s\"",
                    path, family->layers, types_key, layers, family->full,
                    family->window);
    int first = -1, second = -1;
    for (int n = 0; n < layers; n++) {
        if (!last[n]) continue;
        if (first < 0)
            first = n;
        else if (second < 0)
            second = n;
    }
    config->full_attention_first = first < 0 ? 0 : first;
    config->full_attention_every = first < 0 ? 0 : second < 0 ? layers : second - first;
    for (int n = 0; n < layers; n++) {
        int every = config->full_attention_every;
        bool said = every && n % every == config->full_attention_first;
        if (said != last[n])
            return fail(error,
                        "%s: \"%s\": expected a repeating pattern of full layers and "
                        "layers with a window; other patterns are not supported",
                        path, list ? family->layers : types_key);
    }
    return true;
}

/* Read the config.json of another family. */
static bool read_family(const Family *family, const Json *json, const char *path,
                        Config *config, Arena *arena, Error *error) {
    const Preset preset = {.name = family->model_type, .options = family->options};
    const FamilyConfig keys = {family->keys, json, path, config_keys, config, arena};
    *config = (Config){0};
    option_reset(config_keys, config, arena);
    if (!apply(config, &preset, arena, error) || !family_keys_read(&keys, error) ||
        (family->layers && !read_layers(family, json, path, config, error)))
        return false;
    if (family->counts_offset && config->max_length > config->position_offset)
        config->max_length -= config->position_offset;
    if (config->d_ff == 0)
        config->d_ff = 4 * config->d_model; /* GPT-2 with n_inner null */
    config->family = family;
    Error problem;
    return config_check(config, &problem) ||
           fail(error, "%s: %s", path, problem.message);
}

bool config_read(Config *config, const char *path, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 20 };
    Bytes bytes;
    const Json *json;
    if (!file_read_regular(path, LARGEST, arena, &bytes, error)) return false;
    if (!json_read(bytes, path, arena, &json, error)) return false;
    if (json->type != JSON_MAP)
        return fail(error, "%s has %s; expected an object of options", path,
                    json_type_name(json));
    const Json *type = json_find(json, "model_type");
    const Family *family =
        type && type->type == JSON_TEXT ? family_find(type->text) : NULL;
    if (family) return read_family(family, json, path, config, arena, error);
    const Option *kinds = option_find(config_keys, "model_type");
    if (type && type->type == JSON_TEXT && *type->text &&
        !option_read(kinds, config, type, arena))
        return fail(
            error,
            "%s: \"model_type\" is %s, which cannot be opened; supported: %s, and "
            "from other programs %s",
            path, json_quote(type->text, arena), option_range(kinds, arena),
            family_list(arena));
    const Json *name = json_find(json, "preset");
    bool known = name && name->type == JSON_TEXT && find_preset(name->text);
    if (!config_preset(config, known ? name->text : presets[0].name, arena, error))
        return false;
    for (int i = 0; i < json->count; i++) {
        const Json *value = &json->child[i];
        const Option *key = option_find(config_keys, value->name);
        if (!key)
            return fail(error, "%s: unknown key \"%s\"; remove it", path, value->name);
        if (!option_read(key, config, value, arena))
            return fail(error, "%s: \"%s\" is not valid; expected %s", path, key->name,
                        option_range(key, arena));
    }
    Error problem;
    return config_check(config, &problem) ||
           fail(error, "%s: %s", path, problem.message);
}

const char *config_print(const Config *config, Arena *arena) {
    const char *text = "{";
    for (const Option *key = config_keys; key->name; key++)
        text = arena_print(arena, "%s%s\n  \"%s\": %s", text,
                           key == config_keys ? "" : ",", key->name,
                           option_print_json(key, config, arena));
    return arena_print(arena, "%s\n}\n", text);
}

/* Is `word` one of the words in the text, which are separated by commas? */
static bool is_among(const char *text, const char *word) {
    size_t length = strlen(word);
    for (; *text; text += strcspn(text, ","), text += *text == ',')
        if (strcspn(text, ",") == length && strncmp(text, word, length) == 0)
            return true;
    return length == 0;
}

/* Check "norm=pre", or "norm!=pre". */
static bool holds(const Config *config, char *condition) {
    char *value = strchr(condition, '=');
    assert(value && value > condition);
    bool denied = value[-1] == '!';
    value[denied ? -1 : 0] = '\0';
    const Option *key = option_find(config_keys, condition);
    assert(key);
    Arena arena = {0};
    bool has = is_among(option_print(key, config, &arena), value + 1);
    arena_free(&arena);
    return has != denied;
}

bool config_holds(const Config *config, const char *conditions) {
    Arena arena = {0};
    bool all = true;
    for (size_t length; all && *conditions; conditions += length) {
        conditions += strspn(conditions, " ");
        length = strcspn(conditions, " ");
        all = length == 0 || holds(config, arena_copy(&arena, conditions, length));
    }
    arena_free(&arena);
    return all;
}

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
            /* In a decoder-only model the same id may start and end a text. */
            bool may_be_same = i == END && j == START && config->encoder_layers == 0;
            if (id[i] == id[j] && !may_be_same)
                return fail(error, "%s and %s are both %d; give each its own", name[j],
                            name[i], id[i]);
        }
    }
    return true;
}

static bool check_windows(const Config *config, Error *error) {
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
    return check_windows(config, error);
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

static const char *mistake_name(int i) {
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

/* One row for each model of the tutorials that this program grew from: as it was meant,
 * and as it was written. Other options have the defaults of the table above: the values
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
