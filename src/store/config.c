#include "store/config.h"

#include <math.h>
#include <string.h>

#include "ops/activation.h"
#include "store/config_kind.h"
#include "text/tokenizer.h"

static const char *const model_types[] = {"transformer", "classifier", "seq2seq", NULL};
static const char *const norm_places[] = {"post", "pre", "none", NULL};
static const char *const position_kinds[] = {"sinusoidal", "learned", "none", NULL};
static const char *const mask_modes[] = {"fill", "add", NULL};
static const char *const mistakes[] = {"cross_query_from_encoder",
                                       "residual_from_norm",
                                       "activation_dropped",
                                       "decoder_without_positions",
                                       "mask_hides_self",
                                       "mean_with_padding",
                                       "keys_are_last_state",
                                       "lstm_restarts",
                                       "cell_for_state",
                                       "padding_not_hidden",
                                       NULL};

#define KEY(field, kind_, help_, ...)                                                  \
    {                                                                                  \
        .name = #field, .kind = &(kind_), .offset = offsetof(Config, field),           \
        .help = (help_), __VA_ARGS__                                                   \
    }
#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define CHOICES(list) .choices = (list)
#define ANY .choices = NULL

const ConfigKey config_keys[] = {
    KEY(model_type, config_choice, "what the model is", CHOICES(model_types)),
    KEY(preset, config_text, "the preset it began as; a name for people", ANY),
    KEY(d_model, config_count, "numbers that stand for a token", RANGE(1, 16384)),
    KEY(encoder_layers, config_count, "layers of the encoder", RANGE(0, LAYERS_MAX)),
    KEY(decoder_layers, config_count, "layers of the decoder; 0: no decoder",
        RANGE(0, LAYERS_MAX)),
    KEY(attention_heads, config_count, "heads that share d_model", RANGE(1, 1024)),
    KEY(d_ff, config_count, "width inside the feed-forward; 0: none", RANGE(0, 65536)),
    KEY(hidden_size, config_count, "width of the LSTM (seq2seq)", RANGE(0, 16384)),
    KEY(activation, config_choice, "inside the feed-forward",
        CHOICES(activation_names)),
    KEY(attention_output_activation, config_choice,
        "behind the output projection of attention", CHOICES(activation_names)),
    KEY(feed_forward_output_activation, config_choice, "behind the feed-forward",
        CHOICES(activation_names)),
    KEY(norm, config_choice, "layer norm behind (post) or before (pre) each sublayer",
        CHOICES(norm_places)),
    KEY(final_norm, config_truth, "one more layer norm behind each stack", ANY),
    KEY(residual, config_truth, "add a sublayer's input to its output", ANY),
    KEY(position, config_choice, "how the place of a token is told",
        CHOICES(position_kinds)),
    KEY(scale_embedding, config_truth, "embeddings times the root of d_model", ANY),
    KEY(scale_scores, config_truth, "scores divided by the root of d_head", ANY),
    KEY(mask_mode, config_choice, "a hidden score is filled with, or has added ...",
        CHOICES(mask_modes)),
    KEY(mask_value, config_number, "... this; -inf hides entirely",
        RANGE(-INFINITY, 0)),
    KEY(causal, config_truth, "the decoder does not look ahead", ANY),
    KEY(share_layers, config_truth, "one layer, used again and again", ANY),
    KEY(share_embeddings, config_truth, "one embedding table for both sides", ANY),
    KEY(tie_embeddings, config_truth, "the output layer is the embedding table", ANY),
    KEY(layer_norm_epsilon, config_number, "keeps layer norm from dividing by 0",
        RANGE(0, 1)),
    KEY(dropout, config_number, "share of numbers dropped in training", RANGE(0, 0.99)),
    KEY(max_length, config_count, "tokens of the longest sentence", RANGE(1, 65536)),
    KEY(source_vocabulary, config_count, "words of the source", RANGE(1, 1 << 20)),
    KEY(target_vocabulary, config_count, "words of the target", RANGE(1, 1 << 20)),
    KEY(pad_id, config_count, "fills short rows of a batch", RANGE(0, 1 << 20)),
    KEY(start_id, config_count, "begins every target", RANGE(0, 1 << 20)),
    KEY(end_id, config_count, "ends every sentence", RANGE(0, 1 << 20)),
    KEY(unknown_id, config_count, "a word not in the vocabulary", RANGE(0, 1 << 20)),
    KEY(tokenizer, config_choice, "how text becomes ids", CHOICES(tokenizer_kinds)),
    KEY(labels, config_labels, "names of the answers (classifier)", ANY),
    KEY(as_written, config_set_of, "mistakes of the tutorials, kept to be looked at",
        CHOICES(mistakes)),
    {0},
};

static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !(*a == '-' && *b == '_')) return false;
    return *a == *b;
}

const ConfigKey *config_key(const char *name) {
    for (const ConfigKey *key = config_keys; key->name; key++)
        if (same_name(name, key->name)) return key;
    return NULL;
}

const char *config_flag(const ConfigKey *key, Arena *arena) {
    char *flag = arena_print(arena, "%s", key->name);
    for (char *c = flag; *c; c++)
        if (*c == '_') *c = '-';
    return flag;
}

const char *config_range(const ConfigKey *key, Arena *arena) {
    if (!key->choices && key->least == key->most) return key->kind->expects;
    if (!key->choices)
        return arena_print(arena, "%s from %.10g to %.10g", key->kind->expects,
                           key->least, key->most);
    const char *list = key->kind->expects;
    for (int c = 0; key->choices[c]; c++)
        list = arena_print(arena, "%s%s %s", list, c ? "," : "", key->choices[c]);
    return list;
}

bool config_set(Config *config, const char *name, const char *value, Arena *arena,
                Error *error) {
    const ConfigKey *key = config_key(name);
    if (!key) return fail(error, "there is no option '%s'; try: :help new", name);
    if (key->kind->set(key, config, value, arena)) return true;
    return fail(error, "%s is '%s'; it must be %s", key->name, value,
                config_range(key, arena));
}

static const Preset *find_preset(const char *name) {
    for (const Preset *preset = presets; preset->name; preset++)
        if (strcmp(preset->name, name) == 0) return preset;
    return NULL;
}

/* Set each "key=value" of a preset's row, after those of the row it is based on. */
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
    if (preset) return apply(config, preset, arena, error);
    const char *list = "";
    for (preset = presets; preset->name; preset++)
        list = arena_print(arena, "%s%s%s", list, *list ? ", " : "", preset->name);
    return fail(error, "there is no preset '%s'; there are: %s", name, list);
}

void config_keep(Config *config, Arena *arena) {
    config->preset = arena_print(arena, "%s", config->preset ? config->preset : "");
    for (int l = 0; l < config->label_count; l++)
        config->labels[l] = arena_print(arena, "%s", config->labels[l]);
}

bool config_read(Config *config, const char *path, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 20 };
    Bytes bytes;
    const Json *json;
    if (!file_read(path, LARGEST, arena, &bytes, error)) return false;
    if (!json_read(bytes, path, arena, &json, error)) return false;
    if (json->type != JSON_MAP)
        return fail(error, "%s holds %s, not an object of options", path,
                    json_type_name(json));
    const Json *name = json_find(json, "preset");
    bool known = name && name->type == JSON_TEXT && find_preset(name->text);
    if (!config_preset(config, known ? name->text : presets[0].name, arena, error))
        return false;
    for (int i = 0; i < json->count; i++) {
        const Json *value = &json->child[i];
        const ConfigKey *key = config_key(value->name);
        /* "d-model" is how a flag is written; beside "d_model" it would be a second. */
        if (!key || strcmp(key->name, value->name) != 0)
            return fail(error, "%s: unknown key \"%s\": remove it", path, value->name);
        if (!key->kind->read(key, config, value, arena))
            return fail(error, "%s: \"%s\" is not as it must be: %s", path, key->name,
                        config_range(key, arena));
    }
    Error problem;
    return config_check(config, &problem) ||
           fail(error, "%s: %s", path, problem.message);
}

const char *config_print(const Config *config, Arena *arena) {
    const char *text = "{";
    for (const ConfigKey *key = config_keys; key->name; key++)
        text = arena_print(arena, "%s%s\n  \"%s\": %s", text,
                           key == config_keys ? "" : ",", key->name,
                           key->kind->print(key, config, arena));
    return arena_print(arena, "%s\n}\n", text);
}
