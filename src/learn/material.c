#include "learn/material.h"

#include <string.h>
#include <unistd.h>

static CorpusFile corpus_file(const Recipe *recipe, const char *path) {
    bool labelled = recipe->config.model_type == MODEL_CLASSIFIER;
    return (CorpusFile){
        .path = path,
        .source = recipe->source,
        .target = labelled ? recipe->label : recipe->target,
        .header = recipe->header,
        .bad_rows = recipe->bad_rows,
    };
}

static bool read_data(Material *material, const Recipe *recipe, Error *error) {
    CorpusFile data = corpus_file(recipe, recipe->data);
    CorpusFile validation = corpus_file(recipe, recipe->validation);
    return corpus_read(&material->corpus, &data, &material->arena, error) &&
           (!*recipe->validation || corpus_read(&material->validation_corpus,
                                                &validation, &material->arena, error));
}

static bool learn_side(const Recipe *recipe, const Corpus *corpus, int sides,
                       const char *prefix, Error *error) {
    Arena arena = {0};
    Tokenizer tokenizer;
    Clean text = corpus_text(corpus, sides, &arena);
    TokenizerKind kind =
        strcmp(recipe->tokenizer, "bpe") == 0 ? TOKENIZER_BPE : TOKENIZER_WORDS;
    bool done =
        tokenizer_learn(&tokenizer, kind, &text, recipe->vocabulary, &arena, error) &&
        tokenizer_save(&tokenizer, recipe->output, prefix, true, error);
    arena_free(&arena);
    return done;
}

/* Files of another kind of tokenizer would be taken for part of this one. */
static void remove_old_tokenizers(const char *folder, Arena *arena) {
    static const char *const names[] = {"vocab.json", "merges.txt", "target_vocab.json",
                                        "target_merges.txt", NULL};
    for (const char *const *name = names; *name; name++)
        unlink(file_join(arena, folder, *name));
}

static bool learn_tokenizers(Material *material, const Recipe *recipe, Error *error) {
    const Config *config = &recipe->config;
    const Corpus *corpus = &material->corpus;
    if (!file_make_folder(recipe->output, error)) return false;
    remove_old_tokenizers(recipe->output, &material->arena);
    if (config->model_type == MODEL_CLASSIFIER)
        return learn_side(recipe, corpus, CORPUS_SOURCES, "", error);
    if (recipe->one_vocabulary || config->share_embeddings)
        return learn_side(recipe, corpus, CORPUS_SOURCES | CORPUS_TARGETS, "", error);
    return learn_side(recipe, corpus, CORPUS_SOURCES, "", error) &&
           learn_side(recipe, corpus, CORPUS_TARGETS, "target_", error);
}

static bool is_learned(const Recipe *recipe) {
    return strcmp(recipe->tokenizer, "words") == 0 ||
           strcmp(recipe->tokenizer, "bpe") == 0;
}

/* The folder whose tokenizers the model takes. */
static bool find_tokenizers(Material *material, const Recipe *recipe, bool resumes,
                            const char **folder, Error *error) {
    *folder = resumes || is_learned(recipe) ? recipe->output : recipe->tokenizer;
    return resumes || !is_learned(recipe) || learn_tokenizers(material, recipe, error);
}

static bool make_model(Material *material, const Recipe *recipe, const char *folder,
                       Error *error) {
    Config config = recipe->config;
    bool unlabelled = config.model_type == MODEL_CLASSIFIER && config.label_count == 0;
    if (unlabelled && !corpus_labels(&material->corpus, LABELS_MAX, config.labels,
                                     &config.label_count, &material->arena, error))
        return false;
    return model_new(&material->model, &config, (unsigned long long)recipe->seed,
                     folder, error);
}

static bool make_examples(Material *material, Error *error) {
    return examples_new(&material->examples, &material->corpus, &material->model,
                        &material->arena, error) &&
           (material->validation_corpus.count == 0 ||
            examples_new(&material->validation, &material->validation_corpus,
                         &material->model, &material->arena, error));
}

bool material_new(Material *material, const Recipe *recipe, bool resumes,
                  Error *error) {
    *material = (Material){0};
    const char *folder;
    if (read_data(material, recipe, error) &&
        find_tokenizers(material, recipe, resumes, &folder, error) &&
        make_model(material, recipe, folder, error) && make_examples(material, error))
        return true;
    material_free(material);
    return false;
}

void material_free(Material *material) {
    model_free(&material->model);
    arena_free(&material->arena);
    *material = (Material){0};
}
