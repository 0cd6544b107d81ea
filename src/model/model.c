#include "model/model.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "model/network.h"

static SpecialIds special_ids(const Config *config) {
    return (SpecialIds){
        .pad = config->pad_id,
        .start = config->start_id,
        .end = config->end_id,
        .unknown = config->unknown_id,
    };
}

/* The tokenizer of one side on its way. */
typedef struct {
    const char *folder, *prefix;
    Tokenizer *tokenizer;
    Arena *arena;
    Error error;
    bool done;
} Loading;

/* The two sides at the same time: reading vocabularies is most of what a start takes.
 */
static void load_part(void *context, int part, int parts) {
    Loading *side = context;
    for (int i = part; i < 2; i += parts)
        if (side[i].tokenizer)
            side[i].done =
                tokenizer_load(side[i].tokenizer, side[i].folder, side[i].prefix,
                               side[i].arena, &side[i].error);
}

/* Read the tokenizers of `folder`; a side without files of its own has the other's. */
static bool load_tokenizers(Model *model, const char *folder, Error *error) {
    TokenizerKind kind = (TokenizerKind)model->config.tokenizer;
    model->source = (Tokenizer){.kind = kind, .special = special_ids(&model->config)};
    model->target = model->source;
    if (kind == TOKENIZER_NONE) return true;
    const char *own = file_join(&model->arena, folder, "target_vocab.json");
    model->has_target_files = file_exists(own);
    Loading source = {
        .folder = folder,
        .prefix = "",
        .tokenizer = &model->source,
        .arena = &model->arena,
    };
    Loading side[] = {source, source};
    side[1].prefix = "target_";
    side[1].tokenizer = model->has_target_files ? &model->target : NULL;
    side[1].arena = &model->target_arena;
    threads_run(load_part, side);
    for (int i = 0; i < 2; i++)
        if (side[i].tokenizer && !side[i].done)
            return fail(error, "%s", side[i].error.message);
    if (!model->has_target_files) model->target = model->source;
    return true;
}

static bool check_vocabulary(const char *side, const Tokenizer *tokenizer, int words,
                             Error *error) {
    int count = tokenizer->vocabulary.count;
    if (tokenizer->kind == TOKENIZER_NONE || count == words) return true;
    return fail(error,
                "the %s tokenizer has %d words, but %s_vocabulary in config.json is %d",
                side, count, side, words);
}

/* A note of digits alone, as this program writes them; else NULL. */
static const char *number_note(const SafeTensors *file, const char *key) {
    enum { DIGITS = 20 };
    const char *note = safetensors_note(file, key);
    bool is_number = note && *note && strspn(note, "0123456789") == strlen(note);
    return is_number && strlen(note) <= DIGITS ? note : NULL;
}

static bool read_weights(Model *model, Error *error) {
    const char *path = file_join(&model->arena, model->path, "model.safetensors");
    SafeTensors file;
    if (!safetensors_read(&file, path, &model->arena, error)) return false;
    model->seed = number_note(&file, "seed");
    model->steps = number_note(&file, "steps");
    return weights_take(&model->weights, &file, error);
}

static bool read_folder(Model *model, Error *error) {
    const char *path = file_join(&model->arena, model->path, "config.json");
    const Config *config = &model->config;
    if (!config_read(&model->config, path, &model->arena, error) ||
        !load_tokenizers(model, model->path, error) ||
        !check_vocabulary("source", &model->source, config->source_vocabulary, error))
        return false;
    if (config->decoder_layers &&
        !check_vocabulary("target", &model->target, config->target_vocabulary, error))
        return false;
    network_build(model);
    Error problem;
    if (!weights_check(&model->weights, &problem))
        return fail(error, "%s: %s", path, problem.message);
    return read_weights(model, error);
}

bool model_open(Model *model, const char *path, Error *error) {
    *model = (Model){0};
    model->path = arena_copy(&model->arena, path, strlen(path));
    if (read_folder(model, error)) return true;
    model_free(model);
    return false;
}

/* The kind of the tokenizer files in a folder: those of pairs have merges. */
static TokenizerKind kind_of_files(const char *folder, Arena *arena) {
    bool merges = file_exists(file_join(arena, folder, "merges.txt"));
    return merges ? TOKENIZER_BPE : TOKENIZER_WORDS;
}

static bool adopt_tokenizers(Model *model, const char *folder, Error *error) {
    Config *config = &model->config;
    config->tokenizer = (int)kind_of_files(folder, &model->arena);
    if (!load_tokenizers(model, folder, error)) return false;
    config->source_vocabulary = model->source.vocabulary.count;
    config->target_vocabulary = model->target.vocabulary.count;
    return true;
}

/* What is left to do when the tokenizers are known. */
static bool finish_new(Model *model, unsigned long long seed, Error *error) {
    if (!config_check(&model->config, error)) return false;
    network_build(model);
    if (!weights_check(&model->weights, error)) return false;
    weights_initialise(&model->weights, seed);
    model->seed = arena_print(&model->arena, "%llu", seed);
    return true;
}

static void begin_new(Model *model, const Config *config) {
    *model = (Model){.path = "", .config = *config, .steps = "0"};
    model->config.tokenizer = TOKENIZER_NONE;
    config_keep(&model->config, &model->arena);
}

bool model_new(Model *model, const Config *config, unsigned long long seed,
               const char *tokenizers, Error *error) {
    begin_new(model, config);
    if ((!tokenizers || adopt_tokenizers(model, tokenizers, error)) &&
        finish_new(model, seed, error))
        return true;
    model_free(model);
    return false;
}

bool model_new_with(Model *model, const Config *config, unsigned long long seed,
                    const Tokenizers *given, Error *error) {
    begin_new(model, config);
    model->config.tokenizer = (int)given->source.kind;
    model->config.source_vocabulary = given->source.vocabulary.count;
    model->config.target_vocabulary = given->target.vocabulary.count;
    model->source = given->source;
    model->target = given->target;
    model->source.special = model->target.special = special_ids(&model->config);
    model->has_target_files = given->differ;
    if (finish_new(model, seed, error)) return true;
    model_free(model);
    return false;
}

void model_twin(Model *twin, const Model *model) {
    *twin = *model;
    twin->arena = twin->target_arena = (Arena){0};
    twin->weights = (Weights){0};
    network_build(twin);
    assert(twin->weights.count == model->weights.count);
    for (int w = 0; w < model->weights.count; w++)
        twin->weights.weight[w].tensor->data = model->weights.weight[w].tensor->data;
}

static bool save_weights(const Model *model, const char *path, bool replace,
                         Arena *arena, Error *error) {
    const Weights *weights = &model->weights;
    Stored *stored = ARENA_ARRAY(arena, Stored, weights->count);
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        stored[w] = (Stored){tensor->name, tensor};
    }
    Note note[3] = {{"format", "pt"}};
    int notes = 1;
    if (model->seed) note[notes++] = (Note){"seed", model->seed};
    if (model->steps) note[notes++] = (Note){"steps", model->steps};
    Contents contents = {stored, weights->count, note, notes};
    return safetensors_save(path, &contents, replace, error);
}

/* Tokenizer files of a model that was here before would be taken for part of this one.
 */
static void remove_others(const Model *model, const char *folder, Arena *arena) {
    bool text = model->source.kind != TOKENIZER_NONE;
    bool target = text && model->has_target_files;
    bool pairs = model->source.kind == TOKENIZER_BPE;
    const struct {
        const char *name;
        bool own;
    } file[] = {{"vocab.json", text},
                {"merges.txt", text && pairs},
                {"target_vocab.json", target},
                {"target_merges.txt", target && pairs}};
    for (size_t f = 0; f < sizeof file / sizeof *file; f++)
        if (!file[f].own) unlink(file_join(arena, folder, file[f].name));
}

/* The weights come first: where they find room on the disk, the others do, too, and
 * where they find none, the model that was here before is left whole. */
static bool save_files(const Model *model, const char *folder, bool replace,
                       Arena *arena, Error *error) {
    const char *config = config_print(&model->config, arena);
    bool has_text = model->source.kind != TOKENIZER_NONE;
    if (!file_make_folder(folder, error) ||
        !save_weights(model, file_join(arena, folder, "model.safetensors"), replace,
                      arena, error))
        return false;
    if (has_text && !tokenizer_save(&model->source, folder, "", replace, error))
        return false;
    if (model->has_target_files &&
        !tokenizer_save(&model->target, folder, "target_", replace, error))
        return false;
    if (replace) remove_others(model, folder, arena);
    return file_save(file_join(arena, folder, "config.json"), config, strlen(config),
                     replace, error);
}

bool model_save(const Model *model, const char *folder, bool replace, Error *error) {
    Arena arena = {0};
    bool exists = file_exists(file_join(&arena, folder, "config.json"));
    bool done =
        exists && !replace
            ? fail(error,
                   "%s holds a model already: choose another folder, or --force "
                   "to overwrite it",
                   folder)
            : save_files(model, folder, replace, &arena, error);
    arena_free(&arena);
    return done;
}

const char *model_describe(const Model *model, Arena *arena) {
    return network_describe(model, arena);
}

void model_free(Model *model) {
    weights_free(&model->weights);
    arena_free(&model->arena);
    arena_free(&model->target_arena);
    *model = (Model){0};
}
