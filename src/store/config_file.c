#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "store/config.h"

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
    Builder list = {.arena = arena};
    for (preset = presets; preset->name; preset++)
        build_item(&list, ", ", "%s", preset->name);
    return fail(error, "there is no preset '%s'; the presets are: %s", name,
                builder_text(&list));
}

void config_keep(Config *config, Arena *arena) {
    config->preset = arena_print(arena, "%s", config->preset ? config->preset : "");
    for (int l = 0; l < config->label_count; l++)
        config->labels[l] = arena_print(arena, "%s", config->labels[l]);
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
            for (int k = 0; k < (is_types ? kinds->count : 1); k++) {
                const Json *kind = is_types ? &kinds->child[k] : item;
                if (count == layers || kind->type != JSON_TEXT) return false;
                bool full = is_full[count++] = strcmp(kind->text, family->full) == 0;
                if (!full && strcmp(kind->text, family->window) != 0) return false;
            }
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
    if (!file_read_regular(path, LARGEST, arena, &bytes, error) ||
        !json_read_map(bytes, path, arena, &json, error))
        return false;
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
    for (int i = 0; i < json->count; i++)
        if (!option_take(config_keys, config, &json->child[i], path, arena, error))
            return false;
    Error problem;
    return config_check(config, &problem) ||
           fail(error, "%s: %s", path, problem.message);
}
