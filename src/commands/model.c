#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "commands/help.h"
#include "player/line.h"
#include "present/answers.h"
#include "session/models.h"
#include "session/variants.h"

static const Flag flags_new[] = {
    {"preset", 0, "NAME", N_("the options to start from; :models lists the presets")},
    {"options", 0, NULL, N_("list all options of a model")},
    {"seed", 0, "N",
     N_("seed of the initial weights; the same seed gives the same "
        "bytes")},
    {"tokenizer", 0, "DIR",
     N_("a folder with tokenizer.json, or vocab.json, and merges.txt for byte "
        "pairs")},
    {0},
};

static const Flag flags_learn[] = {
    {"words", 0, "N", N_("maximum size of the vocabulary")},
    {0},
};

/* Open a model and read the previous sentence again. */
static bool open_model(Session *session, const char *name, Error *error) {
    Page *page = &session->page;
    bool has_run = session->run->is_made || session->reading.offer.model;
    Request request = {0};
    Error problem = {0};
    if (session->reading.offer.model)
        request.source =
            arena_print(&session->scratch, "%s", session->reading.offer.text);
    else if (has_run)
        request = variants_request(session, false, &session->scratch);
    if (!session_open(session, name, error)) return false;
    line_greet_model(session);
    if (!has_run) return true;
    const char *text = request.source ? request.source : request.source_ids;
    request.limit = session_usual_limit(session);
    page_gap(page);
    if (!session_run(session, &request, &problem)) {
        page_note(page, "it cannot read the previous sentence: %s",
                  session_safe(session, problem.message));
        return true;
    }
    page_note(page, "the previous sentence, read again: %s",
              session_safe(session, text));
    answers_say(session);
    return true;
}

static bool run_model(Session *session, const Arguments *arguments, Error *error) {
    if (arguments->words) return open_model(session, arguments->word[0], error);
    const Model *model = &session->model;
    Page *page = &session->page;
    page_line(page, "%s: %s", session_safe(session, model->path),
              network_describe(&model->config, page->arena));
    page_line(page,
              model->seed ? N_("%lld weights in %d tensors, seed %s")
                          : N_("%lld weights in %d tensors"),
              weights_size(&model->weights), model->weights.count,
              session_safe(session, model->seed ? model->seed : ""));
    page_gap(page);
    int count = 0;
    while (config_keys[count].name) count++;
    ListItem *item = ARENA_ARRAY(page->arena, ListItem, count);
    for (int k = 0; k < count; k++) {
        const Option *key = &config_keys[k];
        const char *value = option_print_json(key, &model->config, page->arena);
        item[k] = (ListItem){.name = key->name,
                             .value = session_safe(session, value),
                             .text = tr(key->help)};
    }
    page_list(page, LIST_MODEL_OPTIONS, item, count);
    return true;
}

static bool run_models(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    ModelList list;
    bool done = models_list(&list, &session->scratch, error);
    ListItem *item = ARENA_ARRAY(&session->scratch, ListItem, list.count);
    int learned = 0;
    for (int i = 0; i < list.count; i++) {
        learned += !list.model[i].is_preset;
        item[i] = (ListItem){.name = session_safe(session, list.model[i].name),
                             .text = session_safe(session, list.model[i].text)};
    }
    Page *page = &session->page;
    page_section(page, "Trained models");
    page_list(page, LIST_MODELS, item, learned);
    page_section(page, "Presets, with initial weights");
    page_list(page, LIST_MODELS, item + learned, list.count - learned);
    page_gap(page);
    page_hint(page, "open one by its name, or a folder of your own", ":model en-ko");
    return done;
}

static bool run_new(Session *session, const Arguments *arguments, Error *error) {
    Config config;
    Model model;
    unsigned long long seed = 1;
    const char *folder = arguments_flag(arguments, "output");
    const char *typed_seed = arguments_flag(arguments, "seed");
    const char *tokenizer = arguments_flag(arguments, "tokenizer");
    if (arguments_flag(arguments, "options"))
        return help_options(true, &session->page), true;
    if (!folder) return fail(error, "new needs a folder for the model: -o DIR");
    const char *preset = arguments_flag(arguments, "preset");
    Arena *arena = &session->scratch;
    if (!config_preset(&config, preset ? preset : "paper", arena, error)) return false;
    for (int f = 0; f < arguments->flags; f++) {
        const char *name = arguments->flag[f];
        bool own = strcmp(name, "preset") == 0 || strcmp(name, "tokenizer") == 0;
        if (own || !option_find_flag(config_keys, name)) continue;
        if (!config_set(&config, name, arguments->value[f], arena, error)) return false;
    }
    if (typed_seed) {
        char *end;
        seed = strtoull(typed_seed, &end, 10);
        if (*typed_seed < '0' || *typed_seed > '9' || *end)
            return fail_usage(error,
                              "--seed is '%s'; expected a whole number, 0 or more",
                              typed_seed);
    }
    if (tokenizer && strcmp(tokenizer, "none") == 0) tokenizer = NULL;
    if (tokenizer && !file_exists(tokenizer))
        return fail(error,
                    "--tokenizer is '%s', but there is no such folder; expected one "
                    "with vocab.json (see learn-bpe and learn-words)",
                    tokenizer);
    if (!model_new(&model, &config, seed, tokenizer, error)) return false;
    bool done = model_save(&model, folder, arguments_replace(arguments), error);
    if (done)
        page_line(&session->page, "wrote %s: %s, %lld weights",
                  session_safe(session, folder),
                  network_describe(&model.config, &session->scratch),
                  weights_size(&model.weights));
    model_free(&model);
    return done;
}

static bool learn(Session *session, const Arguments *arguments, TokenizerKind kind,
                  Error *error) {
    const size_t largest = (size_t)256 << 20;
    Arena arena = {0};
    Bytes bytes;
    int words = 2000;
    Tokenizer tokenizer = {0};
    Error problem;
    const char *folder = arguments_flag(arguments, "output");
    if (!folder) return fail(error, "no folder for the tokenizer; give -o DIR");
    if (!arguments_number(arguments, "words", 5, 1 << 20, &words, error)) return false;
    const char *path = arguments->word[0];
    bool is_new = !file_exists(folder);
    bool done = file_read(path, largest, &arena, &bytes, error);
    if (done) {
        Clean clean = unicode_clean(bytes.bytes, bytes.size, &arena);
        done =
            (!unicode_is_blank(&clean) ||
             fail(error, "%s is empty, so there is nothing to learn from", path)) &&
            (tokenizer_learn(&tokenizer, (TokenizerOptions){kind, words, false}, &clean,
                             &arena, &problem) ||
             fail(error, "%s, --words %d: %s", path, words, problem.message)) &&
            file_make_folder(folder, error) &&
            tokenizer_save(&tokenizer, folder, "", arguments_replace(arguments), error);
        if (!done && is_new) file_remove(folder, true); /* if it is empty */
    }
    if (done)
        page_line(&session->page, "wrote %s: %d words, %d merges",
                  session_safe(session, folder), tokenizer.vocabulary.count,
                  tokenizer.merges.count);
    arena_free(&arena);
    return done;
}

static bool run_learn_bpe(Session *session, const Arguments *arguments, Error *error) {
    return learn(session, arguments, TOKENIZER_BPE, error);
}

static bool run_learn_words(Session *session, const Arguments *arguments,
                            Error *error) {
    return learn(session, arguments, TOKENIZER_WORDS, error);
}

/* Opening another model does not need the current one, which may be broken. */
static Needs needs_of_model(const Arguments *arguments) {
    return (Needs){.model = arguments->words == 0};
}

const Command command_model = {
    .name = "model",
    .group = GROUP_MODELS,
    .arguments = "[DIR]",
    .summary = N_("show the model, or open another"),
    .details =
        N_("DIR is a model folder, or a name that :models lists. The new model reads "
           "the current sentence again; changes and learning in the old one are "
           "lost. If a model cannot read a sentence, the prompt offers one that can: "
           "Enter opens it; type the same sentence again to read it with this model."),
    .example = ":model",
    .words = {0, 1},
    .flags = {flags_model},
    .needs_of = needs_of_model,
    .pages = true,
    .choice = CHOICE_MODEL,
    .run = run_model,
};

const Command command_models = {
    .name = "models",
    .group = GROUP_MODELS,
    .is_first = true,
    .summary = N_("list models and presets"),
    .details = N_(
        "A preset opens at once, with initial weights and the default model's words: "
        "it is untrained, but you can look at every number."),
    .example = ":models",
    .pages = true,
    .run = run_models,
};

const Command command_new = {
    .name = "new",
    .group = GROUP_MODELS,
    .arguments = "--preset NAME -o DIR",
    .summary = N_("create an untrained model"),
    .details =
        N_("Every key of config.json is an option: --d-model 64, --norm pre. Without "
           "--tokenizer the model takes ids only."),
    .example = ":new --preset paper --d-model 16 --attention-heads 2 --d-ff 32 "
               "--encoder-layers 1 --decoder-layers 1 -o small --force",
    .flags = {flags_new, flags_folder},
    .takes_options = true,
    .pages = true,
    .run = run_new,
};

const Command command_learn_bpe = {
    .name = "learn-bpe",
    .group = GROUP_MODELS,
    .arguments = "TEXT",
    .summary = N_("learn byte pair merges from a text file"),
    .details = N_("Writes vocab.json and merges.txt into the folder given by -o."),
    .example = ":learn-bpe notes.txt --words 1000 -o pairs",
    .words = {1, 1},
    .flags = {flags_folder, flags_learn},
    .choice = CHOICE_FILE,
    .run = run_learn_bpe,
};

const Command command_learn_words = {
    .name = "learn-words",
    .group = GROUP_MODELS,
    .arguments = "TEXT",
    .summary = N_("learn a word vocabulary from a text file"),
    .details =
        N_("The most frequent words, split at spaces and punctuation, are written to "
           "vocab.json in the folder given by -o."),
    .example = ":learn-words notes.txt --words 1000 -o words",
    .words = {1, 1},
    .flags = {flags_folder, flags_learn},
    .choice = CHOICE_FILE,
    .run = run_learn_words,
};
