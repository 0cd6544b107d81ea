#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "present/what_if.h"
#include "session/variants.h"

/* Make the row of an option in a list. Return true if it was changed. */
static bool option_item(Session *session, const Option *key, ListItem *item) {
    Arena *arena = &session->scratch;
    const char *was = variants_value(key, variants_original(session), arena);
    const char *value = variants_value(key, &session->model.config, arena);
    bool is_changed = strcmp(value, was) != 0;
    const char *help = tr(key->help);
    *item = (ListItem){.name = key->name,
                       .value = value,
                       .text = is_changed ? trf(arena, "was %s: %s", was, help) : help};
    return is_changed;
}

static bool run_option(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *first = arguments->words ? arguments->word[0] : NULL;
    if (!first) {
        int count = 0;
        while (config_keys[count].name) count++;
        ListItem *item = ARENA_ARRAY(arena, ListItem, count);
        count = 0;
        for (const Option *key = config_keys; key->name; key++)
            if (option_item(session, key, &item[count])) count++;
        if (count) {
            page_list(&session->page, LIST_MODEL_OPTIONS, item, count);
            page_hint(&session->page, N_("Return to the model as it was opened"),
                      ":option reset");
        } else {
            page_note(&session->page, "no option of the model was changed; :option "
                                      "NAME VALUE changes one, :model lists them");
        }
        return true;
    }
    if (arguments->words == 1 && strcmp(first, "reset") == 0)
        return what_if_options(session, variants_original(session), error);
    if (arguments->words == 1 && !strchr(first, '=')) {
        const Option *key = variants_key(first, arena, error);
        ListItem item;
        if (!key) return false;
        option_item(session, key, &item);
        page_list(&session->page, LIST_MODEL_OPTIONS, &item, 1);
        page_line(&session->page, "%s takes: %s", key->name, option_range(key, arena));
        return true;
    }
    /* "norm pre final_norm true", or "norm=pre final_norm=true". */
    Config config = session->model.config;
    for (int w = 0; w < arguments->words; w++) {
        const char *word = arguments->word[w];
        size_t length = strcspn(word, "=");
        const char *name = arena_copy(arena, word, length);
        if (!variants_key(name, arena, error)) return false;
        if (!word[length] && w + 1 == arguments->words)
            return fail(error, "no value for %s; write :option %s VALUE", name, name);
        const char *value = word[length] ? word + length + 1 : arguments->word[++w];
        if (!variants_set(&config, name, value, arena, error)) return false;
    }
    return what_if_options(session, &config, error);
}

/* Options that a model keeps when it takes those of a preset: its sizes and its
 * vocabulary. Sizes 0 and 1 are special: the part does not exist. */
static const char *const sizes[] = {"d_model",        "encoder_layers",
                                    "decoder_layers", "attention_heads",
                                    "d_ff",           "hidden_size"};
static const char *const words[] = {
    "max_length", "source_vocabulary", "target_vocabulary", "pad_id", "start_id",
    "end_id",     "unknown_id",        "tokenizer"};

static int size_of(const Config *config, const char *name) {
    const Option *key = option_find(config_keys, name);
    return *(const int *)(const void *)((const char *)config + key->offset);
}

static void keep(Config *config, const Config *model, const char *name, Arena *arena) {
    const Option *key = option_find(config_keys, name);
    option_set(key, config, option_print(key, model, arena), arena);
}

static bool run_preset(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    Config config;
    const Config model = session->model.config;
    if (!config_preset(&config, arguments->word[0], arena, error)) return false;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (size_of(&config, sizes[s]) > 1 && size_of(&model, sizes[s]) > 0)
            keep(&config, &model, sizes[s], arena);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        keep(&config, &model, words[w], arena);
    if (model.label_count) keep(&config, &model, "labels", arena);
    return what_if_options(session, &config, error);
}

static const Flag flags_dropout[] = {
    {"seed", 0, "N", N_("seed that chooses the dropped numbers")},
    {0},
};

static void say_dropout(Session *session) {
    const Config *config = &session->model.config;
    page_note(&session->page,
              session->variant.dropout_on
                  ? N_("dropout is on: dropout %g, attention_dropout %g, "
                       "activation_dropout %g")
                  : N_("dropout is off, as always outside training; in "
                       "training: dropout %g, attention_dropout %g, "
                       "activation_dropout %g"),
              config->dropout, config->attention_dropout, config->activation_dropout);
    if (session->variant.dropout_on && config->attention_dropout == 0)
        page_note(&session->page,
                  "attention weights are not dropped, so their rows still sum to 1; "
                  ":option attention_dropout 0.1 also drops them");
}

static bool run_dropout(Session *session, const Arguments *arguments, Error *error) {
    const char *word = arguments->words ? arguments->word[0] : NULL;
    int seed = 1;
    if (!arguments_number(arguments, "seed", 0, 1 << 30, &seed, error)) return false;
    if (!word) return say_dropout(session), true;
    bool on = strcmp(word, "on") == 0;
    const Config *config = &session->model.config;
    if (!on && strcmp(word, "off") != 0)
        return fail(error, "dropout is on or off, not '%s'", word);
    if (on && config->dropout <= 0 && config->attention_dropout <= 0 &&
        config->activation_dropout <= 0)
        return fail(error, "this model drops nothing: its dropout, attention_dropout "
                           "and activation_dropout are 0; set :option dropout 0.1 "
                           "first");
    if (!what_if_dropout(session, on, (unsigned long long)seed, error)) return false;
    say_dropout(session);
    return true;
}

const Command command_option = {
    .pages = true,
    .name = "option",
    .group = GROUP_CHANGE,
    .arguments = "[NAME [VALUE] ... | reset]",
    .summary = N_("change an option of the model and rerun"),
    .details =
        N_("Weights whose name and shape fit stay; new ones get initial values and are "
           "listed. The command shows the answer before and after, and the row of "
           "attention that changed most. Several options at once: \":option norm pre "
           "final_norm true\". Write a list as a,b and an empty one as none. With only "
           "a name: its value and the possible ones; without arguments: the changes so "
           "far. \":option reset\" restores the model as it was opened."),
    .example = ":option scale_scores false",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run_if_any = true},
    .choice = CHOICE_OPTION,
    .run = run_option,
};

const Command command_preset = {
    .name = "preset",
    .group = GROUP_CHANGE,
    .arguments = "NAME",
    .summary = N_("apply a preset's options to these weights"),
    .details = N_("The model keeps its size and its words. With kit-as-written open, "
                  "\":preset kit\" shows the same weights without the mistake. "
                  "\":option reset\" goes back."),
    .example = ":preset prenorm",
    .words = {1, 1},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run_if_any = true},
    .choice = CHOICE_PRESET,
    .run = run_preset,
};

const Command command_dropout = {
    .name = "dropout",
    .group = GROUP_CHANGE,
    .arguments = "[on|off]",
    .summary = N_("rerun with or without dropout"),
    .details = N_("The seed decides what is dropped. Attention weights are dropped "
                  "if attention_dropout is above 0; then the weights of a row no "
                  "longer sum to 1."),
    .example = ":dropout on",
    .words = {0, 1},
    .flags = {flags_dropout, flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run_if_any = true},
    .choice = CHOICE_TRUTH,
    .run = run_dropout,
};
