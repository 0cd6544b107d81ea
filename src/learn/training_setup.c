#include "learn/training_setup.h"

#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "learn/trainer.h"
#include "model/generate.h"
#include "model/network.h"
#include "store/folder.h"

static CorpusFile corpus_file(const Recipe *recipe, const char *path) {
    bool labelled = recipe->config.model_type == MODEL_CLASSIFIER;
    return (CorpusFile){
        .path = path,
        .source = recipe->source,
        .target = config_learns_texts(&recipe->config) ? ""
                  : labelled                           ? recipe->label
                                                       : recipe->target,
        .header = recipe->header,
        .bad_rows = recipe->bad_rows,
    };
}

static bool learn_side(TrainingSetup *setup, const Recipe *recipe, int sides,
                       Tokenizer *tokenizer, Error *error) {
    Arena scratch = {0};
    Clean text = corpus_text(&setup->corpus, sides, &scratch);
    TokenizerKind kind =
        strcmp(recipe->tokenizer, "bpe") == 0 ? TOKENIZER_BPE : TOKENIZER_WORDS;
    bool done = tokenizer_learn(
        tokenizer,
        (TokenizerOptions){kind, recipe->vocabulary, recipe->config.masked_words},
        &text, &setup->arena, error);
    arena_free(&scratch);
    return done;
}

/* Report which key in which recipe caused a problem. */
static bool blame(const Recipe *recipe, const char *key, const Error *problem,
                  Error *error) {
    return fail(error, "%s: \"%s\": %s", recipe->path, key, problem->message);
}

/* Make the model in memory. The first save writes it to disk, so an existing model
 * stays complete until then. */
static bool make_model(TrainingSetup *setup, const Recipe *recipe, bool resumes,
                       Error *error) {
    Config config = recipe->config;
    Model *model = &setup->model;
    unsigned long long seed = (unsigned long long)recipe->seed;
    bool labels = config.model_type == MODEL_CLASSIFIER;
    bool one = recipe->one_vocabulary || config.share_embeddings ||
               config_learns_texts(&config);
    if (labels && config.label_count == 0 &&
        !corpus_labels(&setup->all, LABELS_MAX, config.labels, &config.label_count,
                       &setup->arena, error))
        return false;
    if (resumes) return model_new(model, &config, seed, recipe->output, error);
    Error problem;
    if (strcmp(recipe->tokenizer, "words") != 0 &&
        strcmp(recipe->tokenizer, "bpe") != 0) {
        folder_tokenizer_kind(recipe->tokenizer, &config, &setup->arena);
        if (config.tokenizer == TOKENIZER_NONE)
            return fail(error,
                        "%s: \"tokenizer\" is '%s'; expected words, bpe or a folder "
                        "with a tokenizer",
                        recipe->path, recipe->tokenizer);
        return model_new(model, &config, seed, recipe->tokenizer, &problem) ||
               blame(recipe, "model", &problem, error);
    }
    Tokenizers learned = {.differ = !labels && !one};
    int sides = labels || !one ? CORPUS_SOURCES : CORPUS_SOURCES | CORPUS_TARGETS;
    if (!learn_side(setup, recipe, sides, &learned.source, &problem))
        return blame(recipe, "vocabulary", &problem, error);
    learned.target = learned.source;
    config.mask_id = learned.source.special.mask;
    if (learned.differ &&
        !learn_side(setup, recipe, CORPUS_TARGETS, &learned.target, &problem))
        return blame(recipe, "vocabulary", &problem, error);
    return model_new_with(model, &config, seed, &learned, &problem) ||
           blame(recipe, "model", &problem, error);
}

void training_setup_free(TrainingSetup *setup) {
    model_free(&setup->model);
    arena_free(&setup->arena);
    *setup = (TrainingSetup){0};
}

bool training_setup_new(TrainingSetup *setup, const Recipe *recipe, bool resumes,
                        Error *error) {
    CorpusFile data = corpus_file(recipe, recipe->data);
    CorpusFile validation = corpus_file(recipe, recipe->validation);
    CorpusShare share = {recipe->validation_share,
                         (unsigned long long)recipe->data_seed};
    Arena *arena = &setup->arena;
    *setup = (TrainingSetup){0};
    bool done = corpus_read(&setup->all, &data, arena, error);
    setup->corpus = setup->all;
    if (done && *recipe->validation)
        done = corpus_read(&setup->validation_corpus, &validation, arena, error);
    else if (done && share.measured > 0)
        done = corpus_part(&setup->all, &share, &setup->corpus,
                           &setup->validation_corpus, arena, error);
    done = done && make_model(setup, recipe, resumes, error) &&
           examples_new(&setup->examples, &setup->corpus, &setup->model, recipe->packed,
                        arena, error) &&
           (setup->validation_corpus.count == 0 ||
            examples_new(&setup->validation, &setup->validation_corpus, &setup->model,
                         recipe->packed, arena, error));
    if (!done) training_setup_free(setup);
    return done;
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
        bad = trf(page->arena, ", %d bad rows skipped", corpus->bad_count);
    if (examples->too_long)
        longer = trf(page->arena, ", %d too long skipped", examples->too_long);
    page_line(page,
              measures ? N_("%s: %d sentences set aside for validation%s%s")
                       : N_("%s: %d sentences%s%s"),
              corpus->path, examples->count, bad, longer);
}

void training_setup_tell(const TrainingSetup *setup, Page *page) {
    bool is_part = setup->corpus.count < setup->all.count;
    tell_rows(&setup->corpus, &setup->examples, false, page);
    tell_rows(&setup->validation_corpus, &setup->validation, is_part, page);
}

static const char *decode(const Tokenizer *tokenizer, const int *id, int count,
                          Arena *arena) {
    const char *text = tokenizer_decode(tokenizer, id, count, arena);
    return unicode_escape(text, strlen(text), arena);
}

const Examples *training_setup_shown(const TrainingSetup *setup) {
    return setup->validation.count ? &setup->validation : &setup->examples;
}

/* Return the text of ids, with each masked word shown as the name of the mask token. */
static const char *text_with_hidden(const Model *model, const int *id, int count,
                                    Arena *arena) {
    const char *text = "";
    const char *mask = tokenizer_label(&model->source, model->config.mask_id);
    for (int first = 0, last; first < count; first = last + 1) {
        for (last = first; last < count && id[last] != model->config.mask_id;) last++;
        const char *part = decode(&model->source, id + first, last - first, arena);
        bool joins = !*text || !*part || *part == ' ' ||
                     ispunct((unsigned char)*part) ||
                     model->source.kind == TOKENIZER_BPE;
        text = arena_print(arena, "%s%s%s", text, joins ? "" : " ", part);
        if (last < count)
            text = arena_print(arena, "%s%s%s", text, *text ? " " : "", mask);
    }
    return text;
}

/* Show a sentence with the masks that measuring uses, and what the model predicts for
 * them. */
static void say_hidden(const TrainingSetup *setup, const Examples *examples, int e,
                       Tape *tape, Page *page) {
    const Model *model = &setup->model;
    Arena *arena = page->arena;
    int first = e;
    const Batches one = {.examples = examples,
                         .size = {.hides = &model->config},
                         .order = &first,
                         .measures = true};
    const Example *example = &examples->example[e];
    int *read = ARENA_ARRAY(arena, int, example->sources);
    int *expected = ARENA_ARRAY(arena, int, example->sources);
    batches_hide(&one, 0, read, expected);
    const Ids source = {read, 1, example->sources, NULL};
    Tensor *logits = network_run(tape, &model->network, &source, NULL);
    if (tape->failed) return;
    const char *shown = text_with_hidden(model, read, example->sources, arena);
    bool right = true;
    for (int t = 0; t < example->sources; t++) {
        LogitPair pair;
        int size;
        if (expected[t] == model->config.pad_id) continue;
        read[t] = loss_said(loss_row(logits, t, pair, &size), tensor_row(logits));
        right &= read[t] == expected[t];
    }
    SampleBlock sample = {
        .source = shown,
        .target = decode(&model->source, read, example->sources, arena),
        .expected =
            right ? NULL
                  : decode(&model->source, example->source, example->sources, arena),
    };
    page_say(page, (Block){.kind = BLOCK_SAMPLE, .sample = sample});
}

void training_setup_say_samples(const TrainingSetup *setup, int count, Page *page) {
    enum { MORE = 8 }; /* than the target's tokens; a longer output is wrong anyway */
    const Model *model = &setup->model;
    const Examples *examples = training_setup_shown(setup);
    Arena *arena = page->arena;
    Tape tape = {0};
    Error reason;
    bool alone = config_is_decoder_alone(&model->config);
    bool hides = model->config.masked_words;
    if (!hides && !network_generates(&model->config, &reason)) return;
    if (count > examples->count) count = examples->count;
    for (int s = 0; s < count; s++) {
        const int e = (int)((long long)examples->count * s / count);
        const Example *example = &examples->example[e];
        Ids source = {example->source, 1, example->sources, NULL};
        tape_reset(&tape);
        if (hides) {
            say_hidden(setup, examples, e, &tape, page);
            continue;
        }
        if (alone) { /* <start> and the first third, to be continued */
            const int given = (example->targets + 2) / 3;
            int *id = ARENA_ARRAY(&tape.arena, int, given + 1);
            id[0] = example->first;
            memcpy(id + 1, example->target, (size_t)given * sizeof *id);
            source = (Ids){id, 1, given + 1, NULL};
        }
        Generated made = generate(&tape, model, &source, example->targets + MORE, true);
        if (tape.failed) continue;
        const char *expected =
            decode(&model->target, example->target, example->targets, arena);
        const char *said = decode(&model->target, made.id, made.count, arena);
        SampleBlock sample = {
            .source = decode(&model->source, source.id, source.length, arena),
            .target = said,
            .expected = alone || strcmp(expected, said) == 0 ? NULL : expected,
        };
        page_say(page, (Block){.kind = BLOCK_SAMPLE, .sample = sample});
    }
    tape_free(&tape);
}
