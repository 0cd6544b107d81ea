#include "learn/recipe.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "learn/recipe_kind.h"
#include "learn/schedule.h"

static const char *const plot_formats[] = {"png", "svg", "pdf", "none", NULL};

#define KEY(field, kind_, otherwise_, help_, ...)                                      \
    {                                                                                  \
        .name = #field, .kind = &(kind_), .offset = offsetof(Recipe, field),           \
        .otherwise = (otherwise_), .help = (help_), __VA_ARGS__                        \
    }
#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define CHOICES(list) .choices = (list)
#define CHANGES .may_change = true
#define FIXED .may_change = false

const RecipeKey recipe_keys[] = {
    KEY(preset, recipe_text, "paper", "the options that the model begins with", FIXED),
    KEY(tokenizer, recipe_path, "words",
        "learned from the data: words, or bpe (byte pairs); or a folder that has one",
        FIXED),
    KEY(vocabulary, recipe_count, "8000", "entries of a learned vocabulary, at most",
        RANGE(5, 1 << 20)),
    KEY(one_vocabulary, recipe_truth, "false",
        "source and target share it, as with share_embeddings", FIXED),
    KEY(data, recipe_path, "", "the file to learn from: .tsv, .csv or plain lines",
        FIXED),
    KEY(source, recipe_column, "1", "the column of the source", FIXED),
    KEY(target, recipe_column, "2", "the column of the target", FIXED),
    KEY(label, recipe_column, "label", "the column of the label (classifier)", FIXED),
    KEY(header, recipe_choice, "auto", "is the first row a header?",
        CHOICES(header_kinds)),
    KEY(bad_rows, recipe_choice, "skip", "what happens to a row that cannot be read",
        CHOICES(bad_rows_kinds)),
    KEY(validation, recipe_path, "", "a file like the data to measure with; none: \"\"",
        CHANGES),
    KEY(batch, recipe_count, "64",
        "sentences that go through together, at most; 0: any", RANGE(0, 1 << 16)),
    KEY(batch_tokens, recipe_count, "0",
        "tokens of both sides that go through together, at most; 0: any",
        RANGE(0, 1 << 24)),
    KEY(epochs, recipe_count, "10", "times that all data are seen", RANGE(0, 1 << 20),
        CHANGES),
    KEY(steps, recipe_count, "0", "batches to learn from, instead of epochs; 0: epochs",
        RANGE(0, 1 << 30), CHANGES),
    KEY(schedule, recipe_choice, "paper", "how the learning rate goes",
        CHOICES(schedule_kinds)),
    KEY(warmup, recipe_count, "4000", "steps in which the rate grows (paper, cosine)",
        RANGE(0, 1 << 30)),
    KEY(factor, recipe_number, "1", "times the paper's learning rate", RANGE(0, 1000)),
    KEY(learning_rate, recipe_number, "0.001",
        "constant: the rate; cosine: the highest", RANGE(0, 1000)),
    KEY(beta_1, recipe_number, "0.9", "Adam's memory of gradients", RANGE(0, 0.999999)),
    KEY(beta_2, recipe_number, "0.98", "Adam's memory of their squares",
        RANGE(0, 0.999999)),
    KEY(epsilon, recipe_number, "1e-9", "keeps Adam from dividing by 0", RANGE(0, 1)),
    KEY(clip, recipe_number, "0", "the longest gradient; 0: as long as it is",
        RANGE(0, 1e9)),
    KEY(smoothing, recipe_number, "0", "label smoothing, section 5.4", RANGE(0, 0.99)),
    KEY(seed, recipe_count, "1", "of the initial weights", RANGE(0, 1 << 30)),
    KEY(data_seed, recipe_count, "1", "of the order of the data and of dropout",
        RANGE(0, 1 << 30)),
    KEY(threads, recipe_count, "0",
        "cores to use; 0: all. The same number gives the same result", RANGE(0, 64)),
    KEY(validate_every, recipe_count, "0", "steps between measurements; 0: each epoch",
        RANGE(0, 1 << 30), CHANGES),
    KEY(save_every, recipe_count, "0", "steps between saves; 0: as validate_every",
        RANGE(0, 1 << 30), CHANGES),
    KEY(log_every, recipe_count, "1", "steps between the rows of train.csv",
        RANGE(1, 1 << 30), CHANGES),
    KEY(samples, recipe_count, "3", "sentences decoded at each measurement",
        RANGE(0, 64), CHANGES),
    KEY(snapshots, recipe_list, "",
        "addresses, such as "
        "decoder.1.cross_attention.weights, drawn along the way",
        CHANGES),
    KEY(snapshot_every, recipe_count, "0",
        "steps between snapshots; 0: as validate_every", RANGE(0, 1 << 30), CHANGES),
    KEY(snapshot_row, recipe_count, "1",
        "the sentence of the validation file, or of the data, that they show",
        RANGE(1, 1 << 30), CHANGES),
    KEY(plot, recipe_choice, "png", "the format of the curves", CHOICES(plot_formats),
        CHANGES),
    KEY(output, recipe_path, "", "the folder of the model that is made", CHANGES),
    {0},
};

static const RecipeKey *find_key(const char *name) {
    for (const RecipeKey *key = recipe_keys; key->name; key++)
        if (strcmp(name, key->name) == 0) return key;
    return NULL;
}

static const char *nearest_key(const char *name, Arena *arena) {
    Nearest nearest = {.word = name};
    for (const RecipeKey *key = recipe_keys; key->name; key++)
        nearest_offer(&nearest, key->name);
    return nearest_question(&nearest, arena);
}

const char *recipe_range(const RecipeKey *key, Arena *arena) {
    const char *list = key->kind->expects;
    if (!key->choices && key->least == key->most) return list;
    if (!key->choices)
        return arena_print(arena, "%s from %.10g to %.10g", list, key->least,
                           key->most);
    for (int c = 0; key->choices[c]; c++)
        list = arena_print(arena, "%s%s %s", list, c ? "," : "", key->choices[c]);
    return list;
}

const char *recipe_print(const Recipe *recipe, Arena *arena) {
    const char *text = "";
    for (const RecipeKey *key = recipe_keys; key->name; key++)
        if (!key->may_change && !key->kind->is_path)
            text = arena_print(arena, "%s%s=%s\n", text, key->name,
                               key->kind->print(key, recipe, arena));
    return text;
}

/* A value of JSON as a word that could have been typed; NULL: not of the kind. */
static const char *as_text(const RecipeKind *kind, const Json *json, Arena *arena) {
    if (!(kind->types & 1u << json->type)) return NULL;
    if (json->type == JSON_TEXT) return json->text;
    if (json->type == JSON_TRUTH) return json->number != 0 ? "true" : "false";
    if (json->type == JSON_WHOLE) return arena_print(arena, "%lld", json->whole);
    if (json->type != JSON_LIST) return arena_print(arena, "%.17g", json->number);
    const char *list = "";
    for (int i = 0; i < json->count; i++) {
        if (json->child[i].type != JSON_TEXT || !*json->child[i].text) return NULL;
        list = arena_print(arena, "%s%s%s", list, i ? ";" : "", json->child[i].text);
    }
    return list;
}

/* "words" and "bpe" are no paths though they stand where one could. */
static const char *from_folder(const Recipe *recipe, const RecipeKey *key,
                               const char *text, Arena *arena) {
    bool name = strcmp(text, "words") == 0 || strcmp(text, "bpe") == 0;
    bool plain = !key->kind->is_path || !*text || *text == '/';
    if (plain || (name && strcmp(key->name, "tokenizer") == 0) || !*recipe->folder)
        return text;
    return file_join(arena, recipe->folder, text);
}

static bool read_key(Recipe *recipe, const Json *value, Arena *arena, Error *error) {
    const RecipeKey *key = find_key(value->name);
    if (!key)
        return fail(error, "%s: unknown key \"%s\"%s", recipe->path, value->name,
                    nearest_key(value->name, arena));
    const char *text = as_text(key->kind, value, arena);
    if (text &&
        key->kind->set(key, recipe, from_folder(recipe, key, text, arena), arena))
        return true;
    return fail(error, "%s: \"%s\" is not as it must be: %s", recipe->path, key->name,
                recipe_range(key, arena));
}

static bool read_model(Recipe *recipe, const Json *model, Arena *arena, Error *error) {
    if (model->type != JSON_MAP)
        return fail(error, "%s: \"model\" is %s; it must be an object of options",
                    recipe->path, json_type_name(model));
    for (int i = 0; i < model->count; i++) {
        const Json *value = &model->child[i];
        const ConfigKey *key = config_key(value->name);
        if (!key || strcmp(key->name, value->name) != 0)
            return fail(error, "%s: unknown key \"model.%s\"", recipe->path,
                        value->name);
        if (!key->kind->read(key, &recipe->config, value, arena))
            return fail(error, "%s: \"model.%s\" is not as it must be: %s",
                        recipe->path, key->name, config_range(key, arena));
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
        return config_set(&recipe->config, name + strlen(model_prefix), value, arena,
                          &problem) ||
               fail(error, "--set %s: %s", assignment, problem.message);
    }
    const RecipeKey *key = find_key(name);
    if (!key)
        return fail(error, "--set %s: unknown key \"%s\"%s", assignment, name,
                    nearest_key(name, arena));
    return key->kind->set(key, recipe, value, arena) ||
           fail(error, "--set %s: \"%s\" must be %s", assignment, name,
                recipe_range(key, arena));
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

bool recipe_read(Recipe *recipe, const char *path, const char *const *set, int sets,
                 Arena *arena, Error *error) {
    *recipe = (Recipe){.path = path, .folder = folder_of(path, arena)};
    for (const RecipeKey *key = recipe_keys; key->name; key++)
        key->kind->set(key, recipe, key->otherwise, arena);
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
           assign_all(recipe, set, sets, true, arena, error) && check(recipe, error);
}
