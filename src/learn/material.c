#include "learn/material.h"

#include <string.h>

#include "base/language.h"

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
    Arena *arena = &material->arena;
    if (!corpus_read(&material->all, &data, arena, error)) return false;
    material->corpus = material->all;
    if (*recipe->validation)
        return corpus_read(&material->validation_corpus, &validation, arena, error);
    CorpusShare share = {recipe->validation_share,
                         (unsigned long long)recipe->data_seed};
    return share.measured == 0 ||
           corpus_part(&material->all, &share, &material->corpus,
                       &material->validation_corpus, arena, error);
}

static bool learn_side(Material *material, const Recipe *recipe, int sides,
                       Tokenizer *tokenizer, Error *error) {
    Arena scratch = {0};
    Clean text = corpus_text(&material->corpus, sides, &scratch);
    TokenizerKind kind =
        strcmp(recipe->tokenizer, "bpe") == 0 ? TOKENIZER_BPE : TOKENIZER_WORDS;
    bool done = tokenizer_learn(tokenizer, kind, &text, recipe->vocabulary,
                                &material->arena, error);
    arena_free(&scratch);
    return done;
}

static bool learn_tokenizers(Material *material, const Recipe *recipe,
                             Tokenizers *learned, Error *error) {
    const Config *config = &recipe->config;
    bool labels = config->model_type == MODEL_CLASSIFIER;
    bool one = recipe->one_vocabulary || config->share_embeddings;
    int sides = labels || !one ? CORPUS_SOURCES : CORPUS_SOURCES | CORPUS_TARGETS;
    if (!learn_side(material, recipe, sides, &learned->source, error)) return false;
    learned->target = learned->source;
    learned->differ = !labels && !one;
    return !learned->differ ||
           learn_side(material, recipe, CORPUS_TARGETS, &learned->target, error);
}

static bool is_learned(const Recipe *recipe) {
    return strcmp(recipe->tokenizer, "words") == 0 ||
           strcmp(recipe->tokenizer, "bpe") == 0;
}

/* Which key of which recipe a problem comes from. */
static bool blame(const Recipe *recipe, const char *key, const Error *problem,
                  Error *error) {
    return fail(error, "%s: \"%s\": %s", recipe->path, key, problem->message);
}

/* What is learned reaches the disk with the first save, so that a model which is there
 * stays whole until then. */
static bool make_model(Material *material, const Recipe *recipe, bool resumes,
                       Error *error) {
    Config config = recipe->config;
    Model *model = &material->model;
    unsigned long long seed = (unsigned long long)recipe->seed;
    bool unlabelled = config.model_type == MODEL_CLASSIFIER && config.label_count == 0;
    Tokenizers learned;
    if (unlabelled && !corpus_labels(&material->all, LABELS_MAX, config.labels,
                                     &config.label_count, &material->arena, error))
        return false;
    if (resumes) return model_new(model, &config, seed, recipe->output, error);
    Error problem;
    if (!is_learned(recipe))
        return model_new(model, &config, seed, recipe->tokenizer, &problem) ||
               blame(recipe, "model", &problem, error);
    if (!learn_tokenizers(material, recipe, &learned, &problem))
        return blame(recipe, "vocabulary", &problem, error);
    return model_new_with(model, &config, seed, &learned, &problem) ||
           blame(recipe, "model", &problem, error);
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
    if (read_data(material, recipe, error) &&
        make_model(material, recipe, resumes, error) && make_examples(material, error))
        return true;
    material_free(material);
    return false;
}

static void tell_rows(const Corpus *corpus, const Examples *examples, bool measures,
                      Page *page) {
    int told = corpus->bad_count < BAD_ROWS_KEPT ? corpus->bad_count : BAD_ROWS_KEPT;
    if (corpus->count == 0) return;
    for (int b = 0; b < told; b++)
        page_line(page, "%s:%d: skipped: %s", corpus->path, corpus->bad[b].line,
                  corpus->bad[b].problem);
    if (examples->too_long)
        page_line(page, "%s:%d: skipped: longer than max_length", corpus->path,
                  examples->first_too_long);
    const char *bad = "";
    const char *longer = "";
    if (corpus->bad_count)
        bad = say(page->arena, ", %d bad rows skipped", corpus->bad_count);
    if (examples->too_long)
        longer = say(page->arena, ", %d too long skipped", examples->too_long);
    page_line(page,
              measures ? N_("%s: %d sentences kept to measure with%s%s")
                       : N_("%s: %d sentences%s%s"),
              corpus->path, examples->count, bad, longer);
}

void material_tell(const Material *material, Page *page) {
    bool is_part = material->corpus.count < material->all.count;
    tell_rows(&material->corpus, &material->examples, false, page);
    tell_rows(&material->validation_corpus, &material->validation, is_part, page);
}

void material_free(Material *material) {
    model_free(&material->model);
    arena_free(&material->arena);
    *material = (Material){0};
}
