#include "learn/recipe.h"

#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "learn/adam.h"

static const char *const plot_formats[] = {"png", "svg", "pdf", "apng", "none", NULL};

static const OptionKind column_kind = {OPTION_TEXT,
                                       N_("the name of a column, or its number"),
                                       .types = 1 << JSON_TEXT | 1 << JSON_WHOLE};
const OptionKind recipe_path_kind = {OPTION_TEXT, N_("a path"),
                                     .types = 1 << JSON_TEXT};
/* Addresses are separated by semicolons, since they may contain commas. */
static const OptionKind addresses_kind = {OPTION_LIST, .types = 1 << JSON_LIST,
                                          .separator = ';', .splits = true};

#define KEY(...) OPTION(Recipe, __VA_ARGS__)
#define RANGE(least_, most_) .min = (least_), .max = (most_)
#define CHOICES(list) .choices = (list)
#define CHANGES .may_change = true
#define FIXED .may_change = false

const Option recipe_keys[] = {
    KEY(preset, option_text, "paper", "the initial options of the model", FIXED),
    KEY(tokenizer, recipe_path_kind, "words",
        "learned from the data: words, or bpe (byte pairs); or a folder that has a "
        "tokenizer",
        FIXED),
    KEY(vocabulary, option_count, "8000", "maximum size of a learned vocabulary",
        RANGE(5, 1 << 20)),
    KEY(one_vocabulary, option_truth, "false",
        "source and target share one vocabulary, as for share_embeddings", FIXED),
    KEY(data, recipe_path_kind, "", "the file to learn from: .tsv, .csv or plain lines",
        FIXED),
    KEY(source, column_kind, "1", "the column of the source", FIXED),
    KEY(target, column_kind, "2", "the column of the target", FIXED),
    KEY(label, column_kind, "label", "the column of the label (classifier)", FIXED),
    KEY(header, option_choice, "auto", "whether the first row is a header",
        CHOICES(header_kinds)),
    KEY(bad_rows, option_choice, "skip", "what to do with a row that cannot be read",
        CHOICES(bad_rows_kinds)),
    KEY(packed, option_truth, "false",
        "texts are joined, each ends with <end>, and cut into rows of max_length "
        "tokens (decoder-only)",
        FIXED),
    KEY(validation, recipe_path_kind, "",
        "a validation file in the same format as the data; none: \"\"", CHANGES),
    KEY(validation_share, option_number, "0",
        "fraction of the data set aside for validation instead of such a file: the "
        "last rows of a random order (data_seed)",
        RANGE(0, 0.5)),
    KEY(batch, option_count, "64", "maximum sentences in a batch; 0: any number",
        RANGE(0, 1 << 16)),
    KEY(batch_tokens, option_count, "0",
        "maximum tokens of both sides in a batch; 0: any number", RANGE(0, 1 << 24)),
    KEY(epochs, option_count, "10", "number of passes over all data", RANGE(0, 1 << 20),
        CHANGES),
    KEY(steps, option_count, "0",
        "number of batches to learn from, instead of "
        "epochs; 0: use epochs",
        RANGE(0, 1 << 30), CHANGES),
    KEY(optimizer, option_choice, "adam", "how a gradient becomes a step",
        CHOICES(optimizer_kinds)),
    KEY(schedule, option_choice, "paper", "how the learning rate changes",
        CHOICES(schedule_kinds)),
    KEY(warmup, option_count, "4000", "steps in which the rate grows (paper, cosine)",
        RANGE(0, 1 << 30)),
    KEY(factor, option_number, "1", "factor for the paper's learning rate",
        RANGE(0, 1000)),
    KEY(learning_rate, option_number, "0.001",
        "constant: the rate; cosine: the highest rate", RANGE(0, 1000)),
    KEY(beta_1, option_number, "0.9", "Adam's decay rate for gradients",
        RANGE(0, 0.999999)),
    KEY(beta_2, option_number, "0.98",
        "Adam's decay rate for squared gradients; "
        "RMSprop's rho",
        RANGE(0, 0.999999)),
    KEY(epsilon, option_number, "1e-9", "added to avoid dividing by 0 in a step",
        RANGE(0, 1)),
    KEY(clip, option_number, "0", "maximum length of the gradient; 0: no limit",
        RANGE(0, 1e9)),
    KEY(smoothing, option_number, "0", "label smoothing, section 5.4", RANGE(0, 0.99)),
    KEY(seed, option_count, "1", "seed of the initial weights", RANGE(0, 1 << 30)),
    KEY(data_seed, option_count, "1", "seed for the order of the data and for dropout",
        RANGE(0, 1 << 30)),
    KEY(threads, option_count, "0",
        "cores to use; 0: all. The same number gives the same result", RANGE(0, 64)),
    KEY(validate_every, option_count, "0", "steps between validations; 0: each epoch",
        RANGE(0, 1 << 30), CHANGES),
    KEY(save_every, option_count, "0",
        "steps between saves; 0: same as "
        "validate_every",
        RANGE(0, 1 << 30), CHANGES),
    KEY(log_every, option_count, "1", "steps between the rows of train.csv",
        RANGE(1, 1 << 30), CHANGES),
    KEY(samples, option_count, "3", "sentences decoded at each validation",
        RANGE(0, 64), CHANGES),
    KEY(snapshots, addresses_kind, "",
        "addresses to draw during training, such as decoder.1.cross_attention.weights",
        CHANGES, .max = RECIPE_SNAPSHOTS, .items = N_("addresses"),
        .count = offsetof(Recipe, snapshot_count)),
    KEY(snapshot_every, option_count, "0",
        "steps between snapshots; 0: same as validate_every", RANGE(0, 1 << 30),
        CHANGES),
    KEY(snapshot_row, option_count, "1",
        "the sentence that the snapshots show, of the validation file or the data",
        RANGE(1, 1 << 30), CHANGES),
    KEY(plot, option_choice, "png", "the format of the curves", CHOICES(plot_formats),
        CHANGES),
    KEY(output, recipe_path_kind, "", "the folder for the model", CHANGES),
    {0},
};

const char *recipe_print(const Recipe *recipe, Arena *arena) {
    const char *text = "";
    for (const Option *key = recipe_keys; key->name; key++) {
        if (key->may_change || key->kind == &recipe_path_kind) continue;
        const double *number = (const void *)((const char *)recipe + key->offset);
        /* Print all digits of numbers: checkpoints contain a checksum of this text. */
        const char *value = key->kind == &option_number
                                ? arena_print(arena, "%.17g", *number)
                                : option_print(key, recipe, arena);
        text = arena_print(arena, "%s%s=%s\n", text, key->name, value);
    }
    return text;
}

static const char *const model_prefix = "model.";

static bool read_keys(Recipe *recipe, const Json **json, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 20 };
    const char *path = recipe->path;
    Bytes bytes;
    if (!file_read(path, LARGEST, arena, &bytes, error) ||
        !json_read_map(bytes, path, arena, json, error))
        return false;
    for (int i = 0; i < (*json)->count; i++) {
        Json value = (*json)->child[i];
        if (strcmp(value.name, "model") == 0) continue;
        const Option *key = option_find(recipe_keys, value.name);
        /* A path in a file is relative to the file's folder. "words" and "bpe" are
         * accepted in place of a path, but are not paths. */
        if (key && key->kind == &recipe_path_kind && value.type == JSON_TEXT) {
            bool is_name =
                strcmp(key->name, "tokenizer") == 0 &&
                (strcmp(value.text, "words") == 0 || strcmp(value.text, "bpe") == 0);
            if (*value.text && *value.text != '/' && !is_name && *recipe->folder)
                value.text = file_join(arena, recipe->folder, value.text);
        }
        if (!option_take(recipe_keys, recipe, &value, path, arena, error)) return false;
    }
    return true;
}

/* Reject keys of a model that training sets itself. */
static bool may_set(const char *name, Error *error) {
    static const char *const sets[] = {"tokenizer", "source_vocabulary",
                                       "target_vocabulary", NULL};
    for (const char *const *set = sets; *set; set++)
        if (strcmp(name, *set) == 0)
            return fail(error,
                        "\"model.%s\" follows from the data, \"tokenizer\" and "
                        "\"vocabulary\"; leave it out",
                        name);
    return true;
}

static bool is_of_model(const char *assignment) {
    return strncmp(assignment, model_prefix, strlen(model_prefix)) == 0;
}

/* Set one "key=value" of the recipe or of the model. */
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
           fail(error, "--set %s: \"%s\" is not valid; expected %s", assignment, name,
                option_range(key, arena));
}

/* Check keys that are required, and keys that depend on each other. */
static bool check(const Recipe *recipe, Error *error) {
    const char *path = recipe->path;
    if (!*recipe->data)
        return fail(error, "%s: \"data\" is missing; give the file to learn from",
                    path);
    if (!*recipe->output)
        return fail(error, "%s: \"output\" is missing; give the folder to write", path);
    if (*recipe->validation && recipe->validation_share > 0)
        return fail(error,
                    "%s: \"validation\" and \"validation_share\" are both set; "
                    "remove one",
                    path);
    if (recipe->packed && !config_is_decoder_alone(&recipe->config))
        return fail(error,
                    "%s: \"packed\" is for decoder-only models; set "
                    "model.encoder_layers to 0, or leave it out",
                    path);
    if (recipe->batch == 0 && recipe->batch_tokens == 0)
        return fail(error,
                    "%s: \"batch\" and \"batch_tokens\" are both 0; set one "
                    "of them",
                    path);
    if (recipe->steps == 0 && recipe->epochs == 0)
        return fail(error, "%s: \"steps\" and \"epochs\" are both 0; set one of them",
                    path);
    if (recipe->schedule == SCHEDULE_PAPER && recipe->warmup == 0)
        return fail(error, "%s: \"warmup\" is 0; the paper's schedule needs 1 or more",
                    path);
    if (recipe->config.decoder_layers == 0 &&
        recipe->config.model_type == MODEL_TRANSFORMER && !recipe->config.masked_words)
        return fail(error,
                    "%s: a model without decoder_layers has nothing to learn; set "
                    "model.masked_words to true",
                    path);
    return true;
}

bool recipe_read(Recipe *recipe, const char *path, const char *const *set, int sets,
                 Arena *arena, Error *error) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    *recipe = (Recipe){.path = path, .folder = arena_copy(arena, path, length)};
    option_reset(recipe_keys, recipe, arena);
    const Json *json;
    if (!read_keys(recipe, &json, arena, error)) return false;
    bool is_sharing_given = json_find(json, "one_vocabulary") != NULL;
    for (int s = 0; s < sets; s++) {
        if (is_of_model(set[s])) continue;
        if (!assign(recipe, set[s], arena, error)) return false;
        if (strncmp(set[s], "one_vocabulary=", strlen("one_vocabulary=")) == 0)
            is_sharing_given = true;
    }
    Error problem;
    if (!config_preset(&recipe->config, recipe->preset, arena, &problem))
        return fail(error, "%s: \"preset\": %s", path, problem.message);
    /* The labels come from the data, unless the recipe names some. */
    recipe->config.label_count = 0;
    const Json *model = json_find(json, "model");
    if (model && model->type != JSON_MAP)
        return fail(error, "%s: \"model\" is %s; expected an object of options", path,
                    json_type_name(model));
    const char *origin = arena_print(arena, "%s: \"model\"", path);
    for (int i = 0; model && i < model->count; i++) {
        const Json *value = &model->child[i];
        if (!may_set(value->name, &problem))
            return fail(error, "%s: %s", path, problem.message);
        if (!option_take(config_keys, &recipe->config, value, origin, arena, error))
            return false;
    }
    for (int s = 0; s < sets; s++)
        if (is_of_model(set[s]) && !assign(recipe, set[s], arena, error)) return false;
    if (is_sharing_given && !recipe->one_vocabulary && recipe->config.share_embeddings)
        return fail(error,
                    "%s: \"%s\" is false, but share_embeddings needs it; leave it out, "
                    "or set model.share_embeddings to false",
                    path, "one_vocabulary");
    return check(recipe, error);
}
