#include "model/model.h"

#include <assert.h>
#include <string.h>

#include "store/about.h"

/* Declare the weights, and the boxes that use them. */
static void build_network(Model *model) {
    VocabularyLabels labels = {.source = model->source.label,
                               .target = model->target.label,
                               .names = model->label_names,
                               .name_rows = model->label_name_rows};
    model->network = network_new(&model->weights, &model->config, labels);
}

static void take_tokenizers(Model *model, const Tokenizers *tokenizers) {
    model->source = tokenizers->source;
    model->target = tokenizers->target;
    model->has_target_files = tokenizers->differ;
}

static bool read_tokenizers(Model *model, const char *folder, Error *error) {
    Tokenizers tokenizers;
    if (!folder_read_tokenizers(folder, &model->config, &tokenizers, &model->arena,
                                &model->target_arena, error))
        return false;
    take_tokenizers(model, &tokenizers);
    return true;
}

static bool check_vocabulary(Model *model, const char *side, Tokenizer *tokenizer,
                             int words, Error *error) {
    int count = tokenizer->vocabulary.count;
    if (tokenizer->kind == TOKENIZER_NONE || count == words) return true;
    if (tokenizer->kind == TOKENIZER_JSON && count < words &&
        tokenizer_fill(tokenizer, words, &model->arena))
        return true;
    return fail(error,
                "%s: the %s tokenizer has %d words, but %s_vocabulary in config.json "
                "is %d",
                model->path, side, count, side, words);
}

/* Find the special ids by the usual names of their tokens in tokenizer.json; -1 if
 * there is none. With `keep_known`, keep those set in the config. */
static void name_special_ids(Model *model, bool keep_known) {
    enum { NAMES = 4 };
    Config *config = &model->config;
    const struct {
        int *id;
        const char *name[NAMES];
    } special[] = {
        {&config->pad_id, {"<pad>", "[PAD]", "<|pad|>", "<PAD>"}},
        {&config->start_id, {"<s>", "[CLS]", "<bos>", "<|startoftext|>"}},
        {&config->end_id, {"</s>", "[SEP]", "<eos>", "<|endoftext|>"}},
        {&config->unknown_id, {"<unk>", "[UNK]", "<|unk|>", "<UNK>"}},
        {&config->mask_id, {"<mask>", "[MASK]", "<|mask|>", "<MASK>"}},
    };
    for (size_t s = 0; s < sizeof special / sizeof *special; s++) {
        if (keep_known && *special[s].id >= 0) continue;
        *special[s].id = -1;
        for (int n = 0; n < NAMES && *special[s].id < 0; n++)
            *special[s].id =
                vocabulary_find(&model->source.vocabulary, special[s].name[n],
                                (int)strlen(special[s].name[n]));
    }
    model->source.special = model->target.special = folder_special_ids(config);
}

static bool read_folder(Model *model, Error *error) {
    const char *path = file_join(&model->arena, model->path, "config.json");
    const Config *config = &model->config;
    if (file_is_regular(model->path))
        return fail(error,
                    "%s is a file; a model is opened by its folder, with config.json, "
                    "model.safetensors and the tokenizer's files. A .gguf or .bin is "
                    "not read: get the model as safetensors",
                    model->path);
    if (!config_read(&model->config, path, &model->arena, error)) return false;
    if (config->family)
        folder_tokenizer_kind(model->path, &model->config, &model->arena);
    if (!read_tokenizers(model, model->path, error) ||
        !check_vocabulary(model, "source", &model->source, config->source_vocabulary,
                          error))
        return false;
    if (config->family && config->masked_words && model->source.json)
        name_special_ids(model, true);
    if (!model->has_target_files) model->target = model->source;
    if (config->decoder_layers && !check_vocabulary(model, "target", &model->target,
                                                    config->target_vocabulary, error))
        return false;
    model->label_names =
        about_label_names(model->path, config->labels, config->label_count,
                          &model->label_name_rows, &model->arena);
    build_network(model);
    Error problem;
    if (!weights_check(&model->weights, &problem))
        return fail(error, "%s: %s", path, problem.message);
    Origin origin;
    if (!folder_read_weights(model->path, config->family, &model->weights, &origin,
                             &model->arena, error))
        return false;
    model->seed = origin.seed;
    model->steps = origin.steps;
    return true;
}

bool model_open(Model *model, const char *path, Error *error) {
    *model = (Model){0};
    model->path = arena_copy(&model->arena, path, strlen(path));
    if (read_folder(model, error)) return true;
    model_free(model);
    return false;
}

/* Set the vocabulary sizes of the config from the tokenizers. */
static void count_words(Model *model) {
    model->config.source_vocabulary = model->source.vocabulary.count;
    model->config.target_vocabulary = model->target.vocabulary.count;
}

static bool adopt_tokenizers(Model *model, const char *folder, Error *error) {
    folder_tokenizer_kind(folder, &model->config, &model->arena);
    /* With this, the error names the missing vocab.json. */
    if (model->config.tokenizer == TOKENIZER_NONE)
        model->config.tokenizer = TOKENIZER_WORDS;
    model->config.mask_id = -1; /* even if a tokenizer has a mask token */
    if (!read_tokenizers(model, folder, error)) return false;
    if (model->config.masked_words && !model->source.json) {
        tokenizer_add_mask(&model->source, &model->arena);
        model->config.mask_id = model->source.special.mask;
    }
    if (model->config.masked_words) { /* an encoder-only model has one side */
        model->target = model->source;
        model->has_target_files = false;
    }
    count_words(model);
    if (model->source.json) name_special_ids(model, false);
    return true;
}

/* The remaining steps after the tokenizers are read. */
static bool build_new(Model *model, unsigned long long seed, Error *error) {
    if (!config_check(&model->config, error)) return false;
    build_network(model);
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
        build_new(model, seed, error))
        return true;
    model_free(model);
    return false;
}

bool model_new_with(Model *model, const Config *config, unsigned long long seed,
                    const Tokenizers *given, Error *error) {
    begin_new(model, config);
    take_tokenizers(model, given);
    count_words(model);
    model->config.tokenizer = (int)given->source.kind;
    model->source.special = model->target.special = folder_special_ids(&model->config);
    if (build_new(model, seed, error)) return true;
    model_free(model);
    return false;
}

void model_twin(Model *twin, const Model *model) {
    *twin = *model;
    twin->arena = twin->target_arena = (Arena){0};
    twin->weights = (Weights){0};
    build_network(twin);
    assert(twin->weights.count == model->weights.count);
    for (int w = 0; w < model->weights.count; w++)
        twin->weights.weight[w].tensor->data = model->weights.weight[w].tensor->data;
}

bool model_save(const Model *model, const char *folder, bool replace, Error *error) {
    const Tokenizers tokenizers = {model->source, model->target,
                                   model->has_target_files};
    const FolderContents contents = {
        .config = &model->config,
        .weights = &model->weights,
        .tokenizers = &tokenizers,
        .origin = {model->seed, model->steps},
    };
    return folder_save(folder, &contents, replace, error);
}

bool model_is_untrained(const Model *model) {
    return model->steps && strcmp(model->steps, "0") == 0;
}

void model_free(Model *model) {
    weights_free(&model->weights);
    arena_free(&model->arena);
    arena_free(&model->target_arena);
    *model = (Model){0};
}
