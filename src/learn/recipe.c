#include "learn/recipe.h"

#include <string.h>

#include "base/file.h"
#include "learn/schedule.h"

/* Of numbers all digits: a checkpoint belongs to the sum of these letters. */
static const char *print_value(const Option *key, const Recipe *recipe, Arena *arena) {
    if (key->kind != &option_number) return option_print(key, recipe, arena);
    const double *number = (const void *)((const char *)recipe + key->offset);
    return arena_print(arena, "%.17g", *number);
}

const char *recipe_print(const Recipe *recipe, Arena *arena) {
    const char *text = "";
    for (const Option *key = recipe_keys; key->name; key++)
        if (!key->may_change && key->kind != &recipe_path_kind)
            text = arena_print(arena, "%s%s=%s\n", text, key->name,
                               print_value(key, recipe, arena));
    return text;
}

/* "words" and "bpe" are no paths though they stand where one could. */
static const char *from_folder(const Recipe *recipe, const Option *key,
                               const char *text, Arena *arena) {
    bool name = strcmp(text, "words") == 0 || strcmp(text, "bpe") == 0;
    if (!*text || *text == '/' || (name && strcmp(key->name, "tokenizer") == 0) ||
        !*recipe->folder)
        return text;
    return file_join(arena, recipe->folder, text);
}

static bool read_value(Recipe *recipe, const Option *key, const Json *value,
                       Arena *arena) {
    if (key->kind != &recipe_path_kind) return option_read(key, recipe, value, arena);
    return value->type == JSON_TEXT &&
           option_set(key, recipe, from_folder(recipe, key, value->text, arena), arena);
}

static bool read_key(Recipe *recipe, const Json *value, Arena *arena, Error *error) {
    const Option *key = option_find(recipe_keys, value->name);
    if (!key)
        return fail(error, "%s: unknown key \"%s\"%s", recipe->path, value->name,
                    option_nearest(recipe_keys, value->name, arena));
    return read_value(recipe, key, value, arena) ||
           fail(error, "%s: \"%s\" is not as it must be: %s", recipe->path, key->name,
                option_range(key, arena));
}

/* Keys of a model that the training itself sets. */
static bool may_set(const char *name, Error *error) {
    static const char *const sets[] = {"tokenizer", "source_vocabulary",
                                       "target_vocabulary", NULL};
    for (const char *const *set = sets; *set; set++)
        if (strcmp(name, *set) == 0)
            return fail(error,
                        "\"model.%s\" follows from the data, \"tokenizer\" and "
                        "\"vocabulary\": leave it out",
                        name);
    return true;
}

static bool read_model(Recipe *recipe, const Json *model, Arena *arena, Error *error) {
    if (model->type != JSON_MAP)
        return fail(error, "%s: \"model\" is %s; it must be an object of options",
                    recipe->path, json_type_name(model));
    for (int i = 0; i < model->count; i++) {
        const Json *value = &model->child[i];
        const Option *key = option_find(config_keys, value->name);
        if (!key)
            return fail(error, "%s: unknown key \"model.%s\"", recipe->path,
                        value->name);
        Error problem;
        if (!may_set(key->name, &problem))
            return fail(error, "%s: %s", recipe->path, problem.message);
        if (!option_read(key, &recipe->config, value, arena))
            return fail(error, "%s: \"model.%s\" is not as it must be: %s",
                        recipe->path, key->name, option_range(key, arena));
    }
    return true;
}

static bool read_file(Recipe *recipe, const Json **json, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 20 };
    Bytes bytes;
    if (!file_read(recipe->path, LARGEST, arena, &bytes, error) ||
        !json_read(bytes, recipe->path, arena, json, error))
        return false;
    if ((*json)->type != JSON_MAP)
        return fail(error, "%s holds %s, not an object of keys", recipe->path,
                    json_type_name(*json));
    for (int i = 0; i < (*json)->count; i++) {
        const Json *value = &(*json)->child[i];
        if (strcmp(value->name, "model") == 0) continue;
        if (!read_key(recipe, value, arena, error)) return false;
    }
    return true;
}

static const char *const model_prefix = "model.";

static bool is_of_model(const char *assignment) {
    return strncmp(assignment, model_prefix, strlen(model_prefix)) == 0;
}

/* One "key=value": of the recipe, or of the model. */
static bool assign(Recipe *recipe, const char *assignment, Arena *arena, Error *error) {
    size_t length = strcspn(assignment, "=");
    const char *name = arena_copy(arena, assignment, length);
    const char *value = assignment + length + 1;
    if (!assignment[length])
        return fail(error, "--set %s: write key=value", assignment);
    if (is_of_model(assignment)) {
        Error problem;
        const Option *key = option_find_flag(config_keys, name + strlen(model_prefix));
        return ((!key || may_set(key->name, &problem)) &&
                config_set(&recipe->config, name + strlen(model_prefix), value, arena,
                           &problem)) ||
               fail(error, "--set %s: %s", assignment, problem.message);
    }
    const Option *key = option_find(recipe_keys, name);
    if (!key)
        return fail(error, "--set %s: unknown key \"%s\"%s", assignment, name,
                    option_nearest(recipe_keys, name, arena));
    return option_set(key, recipe, value, arena) ||
           fail(error, "--set %s: \"%s\" must be %s", assignment, name,
                option_range(key, arena));
}

static bool assign_all(Recipe *recipe, const char *const *set, int sets, bool of_model,
                       Arena *arena, Error *error) {
    for (int s = 0; s < sets; s++)
        if (is_of_model(set[s]) == of_model && !assign(recipe, set[s], arena, error))
            return false;
    return true;
}

/* Keys that must be there, or must fit each other. */
static bool check(const Recipe *recipe, Error *error) {
    const char *path = recipe->path;
    if (!*recipe->data)
        return fail(error, "%s: \"data\" is missing: the file to learn from", path);
    if (!*recipe->output)
        return fail(error, "%s: \"output\" is missing: the folder to write", path);
    if (*recipe->validation && recipe->validation_share > 0)
        return fail(error,
                    "%s: \"validation\" and \"validation_share\" cannot both be set",
                    path);
    if (recipe->batch == 0 && recipe->batch_tokens == 0)
        return fail(error, "%s: \"batch\" and \"batch_tokens\" cannot both be 0", path);
    if (recipe->steps == 0 && recipe->epochs == 0)
        return fail(error, "%s: \"steps\" and \"epochs\" cannot both be 0", path);
    if (recipe->schedule == SCHEDULE_PAPER && recipe->warmup == 0)
        return fail(error, "%s: \"warmup\" must be 1 or more with the paper's schedule",
                    path);
    if (recipe->config.decoder_layers == 0 &&
        recipe->config.model_type == MODEL_TRANSFORMER)
        return fail(error, "%s: a model without decoder_layers has nothing to learn",
                    path);
    return true;
}

static const char *folder_of(const char *path, Arena *arena) {
    const char *slash = strrchr(path, '/');
    return arena_copy(arena, path,
                      slash ? (size_t)(slash - path) + (slash == path) : 0);
}

/* Was "one_vocabulary" set to false, not only left at it? One embedding table for both
 * sides has one. */
static bool check_sharing(const Recipe *recipe, const Json *json,
                          const char *const *set, int sets, Error *error) {
    const char *name = "one_vocabulary";
    bool given = json_find(json, name) != NULL;
    for (int s = 0; s < sets; s++)
        given = given || (strncmp(set[s], name, strlen(name)) == 0 &&
                          set[s][strlen(name)] == '=');
    if (!given || recipe->one_vocabulary || !recipe->config.share_embeddings)
        return true;
    return fail(error,
                "%s: \"%s\" is false, but share_embeddings needs one: leave it out, or "
                "set model.share_embeddings to false",
                recipe->path, name);
}

bool recipe_read(Recipe *recipe, const char *path, const char *const *set, int sets,
                 Arena *arena, Error *error) {
    *recipe = (Recipe){.path = path, .folder = folder_of(path, arena)};
    option_reset(recipe_keys, recipe, arena);
    const Json *json;
    if (!read_file(recipe, &json, arena, error) ||
        !assign_all(recipe, set, sets, false, arena, error))
        return false;
    Error problem;
    if (!config_preset(&recipe->config, recipe->preset, arena, &problem))
        return fail(error, "%s: \"preset\": %s", path, problem.message);
    recipe->config.label_count =
        0; /* those of the data, unless the recipe names some */
    const Json *model = json_find(json, "model");
    return (!model || read_model(recipe, model, arena, error)) &&
           assign_all(recipe, set, sets, true, arena, error) &&
           check_sharing(recipe, json, set, sets, error) && check(recipe, error);
}
