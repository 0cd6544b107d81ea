#include "shell/command.h"

#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "shell/draw_alone.h"
#include "shell/figure_flags.h"
#include "shell/forks.h"
#include "shell/pager.h"
#include "shell/show_lens.h"
#include "shell/standing.h"
#include "shell/variants.h"
#include "text/unicode.h"
#include "window/text.h"

const Command *command_find(const char *name) {
    for (const Command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0) return *command;
    return NULL;
}

bool command_opens_group(const Command *const *row) {
    return row == commands || strcmp(row[0]->group, row[-1]->group) != 0;
}

const Flag *command_flag(const Command *command, int i) {
    for (int g = 0; g <= FLAG_GROUPS; g++) {
        const Flag *group = g < FLAG_GROUPS ? command->flags[g] : flags_display;
        for (const Flag *flag = group; flag && flag->name; flag++)
            if (i-- == 0) return flag;
    }
    return NULL;
}

const Flag *command_flag_named(const Command *command, const char *name) {
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        if (strcmp(flag->name, name) == 0) return flag;
    return NULL;
}

/* The full name of a flag written as "source" or "o", and what it takes. */
static const char *flag_name(const Command *command, const char *written,
                             bool *has_value, bool *repeats) {
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        bool short_form = flag->letter && written[0] == flag->letter && !written[1];
        if (!short_form && strcmp(flag->name, written) != 0) continue;
        *has_value = flag->value != NULL;
        *repeats = flag->value && strstr(flag->value, "...");
        return flag->name;
    }
    const Option *key =
        command->takes_options ? option_find_flag(config_keys, written) : NULL;
    *has_value = true;
    *repeats = false;
    return key ? key->name : NULL;
}

static bool fail_flag(const Command *command, const char *written, Arena *arena,
                      Error *error) {
    Nearest nearest = {.word = written};
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        nearest_offer(&nearest, flag->name);
    if (command->takes_options)
        for (const Option *key = config_keys; key->name; key++)
            nearest_offer(&nearest, key->name);
    return fail(error, "%s has no option --%s%s", command->name, written,
                nearest_question(&nearest, arena));
}

/* "--name=value", or "--name" and its value in the next word. */
static bool read_flag(Arguments *arguments, const char *const *word, int words, int *w,
                      Arena *arena, Error *error) {
    const char *written = word[*w] + 1 + (word[*w][1] == '-');
    size_t length = strcspn(written, "=");
    const char *name = arena_copy(arena, written, length);
    bool has_value;
    bool repeats;
    const char *full = flag_name(arguments->command, name, &has_value, &repeats);
    if (!full) return fail_flag(arguments->command, name, arena, error);
    if (!repeats && arguments_flag(arguments, full))
        return fail(error, "--%s is given twice", full);
    const char *value = written[length] == '=' ? written + length + 1 : NULL;
    if (value && !has_value) return fail(error, "--%s takes no value", full);
    if (!value && has_value) {
        if (*w + 1 == words) return fail(error, "--%s needs a value", full);
        value = word[++*w];
    }
    arguments->flag[arguments->flags] = full;
    arguments->value[arguments->flags++] = value ? value : "";
    return true;
}

/* A word that begins with - is a flag, but not a number such as -1 or -inf. */
static bool is_flag(const char *word) {
    return word[0] == '-' && word[1] && !strchr("0123456789.", word[1]) &&
           strcmp(word, "-inf") != 0;
}

static bool read_arguments(const char *const *word, int words, Arguments *arguments,
                           Arena *arena, Error *error) {
    if (words > WORDS_MAX) return fail(error, "more than %d words", WORDS_MAX);
    bool only_words = false;
    for (int w = 1; w < words; w++) {
        if (!only_words && strcmp(word[w], "--") == 0) {
            only_words = true;
        } else if (!only_words && is_flag(word[w])) {
            if (!read_flag(arguments, word, words, &w, arena, error)) return false;
        } else {
            arguments->word[arguments->words++] = word[w];
        }
    }
    const Command *command = arguments->command;
    if (arguments->words >= command->least && arguments->words <= command->most)
        return true;
    return fail(error, "usage: %s%s%s", command->name, *command->arguments ? " " : "",
                command->arguments);
}

static bool set_display(Session *session, const Arguments *arguments, Error *error) {
    Display *options = &session->options;
    if (!arguments_choice(arguments, "color", color_modes, &options->color, error) ||
        !arguments_choice(arguments, "language", languages, &options->language,
                          error) ||
        (!figure_flags_has_width(arguments) &&
         !arguments_number(arguments, "width", 20, 10000, &options->width, error)))
        return false;
    language_choose(options->language);
    return true;
}

/* The sentences that flags ask for, or those at hand. */
static bool prepare_run(Session *session, const Arguments *arguments, Error *error) {
    Request request = {
        .source = arguments_flag(arguments, "source"),
        .source_ids = arguments_flag(arguments, "source-ids"),
        .target = arguments_flag(arguments, "target"),
        .target_ids = arguments_flag(arguments, "target-ids"),
    };
    if (!arguments_number(arguments, "limit", 1, INT_MAX, &request.limit, error))
        return false;
    if (request.source && request.source_ids)
        return fail(error, "give --source or --source-ids, not both");
    if (request.target && request.target_ids)
        return fail(error, "give --target or --target-ids, not both");
    if (request.source || request.source_ids)
        return session_run(session, &request, error);
    if (session->has_run && (request.target || request.target_ids))
        return fail(error, "--target belongs to --source; :target gives one to the "
                           "sentence at hand");
    if (session->has_run) return true;
    if (session->toy.count && command_flag_named(arguments->command, "toy"))
        return true;
    return fail(error, "there is no sentence yet: type one, or give --source");
}

Needs command_needs(const Arguments *arguments) {
    const Command *command = arguments->command;
    if (arguments_flag(arguments, "toy")) return (Needs){0};
    if (command->needs) return command->needs(arguments);
    return (Needs){.model = command->needs_model, .run = command->needs_run};
}

static bool has_sentence(const Session *session, const Arguments *arguments) {
    return session->has_run || arguments_flag(arguments, "source") ||
           arguments_flag(arguments, "source-ids");
}

/* The model, the sentences and which of them. */
static bool prepare(Session *session, const Arguments *arguments, Error *error) {
    const Needs needs = command_needs(arguments);
    const char *toy = arguments_flag(arguments, "toy");
    if (toy) return session_toy(session, toy, error);
    const char *model = arguments_flag(arguments, "model");
    int row = 0;
    if (!arguments_number(arguments, "batch", 0, ROWS_MAX - 1, &row, error) ||
        (needs.model && (model || !session->has_model) &&
         !session_open(session, model, error)) ||
        (needs.model && arguments_flag(arguments, "option") &&
         !variants_take_flags(session, arguments, error)))
        return false;
    if (!needs.run && !(needs.run_if_any && has_sentence(session, arguments)))
        return true;
    if (!prepare_run(session, arguments, error)) return false;
    const char *picks = arguments_flag(arguments, "picks");
    if (arguments_flag(arguments, "batch") && !session_choose(session, row, error))
        return false;
    return !picks || forks_follow(session, picks, error);
}

/* Its words are those of a run; what it does without one has names of its own. */
static bool takes_addresses(const Arguments *arguments) {
    bool toy = arguments_flag(arguments, "toy") != NULL;
    const Alone *alone = alone_find(arguments);
    return arguments->command->choice == CHOICE_ADDRESS &&
           !arguments->command->reads_words && (toy || command_needs(arguments).run) &&
           !(alone && alone->needs.run);
}

static void fail_unknown(const char *name, Arena *arena, Error *error) {
    Nearest nearest = {.word = name};
    for (const Command *const *command = commands; *command; command++)
        nearest_offer(&nearest, (*command)->name);
    const char *question = nearest_question(&nearest, arena);
    if (*question)
        fail(error, "there is no command '%s'%s", name, question);
    else
        fail(error, "there is no command '%s'; :help lists them", name);
}

bool command_parse(const char *const *word, int words, Arguments *arguments,
                   Arena *arena, Error *error) {
    *arguments = (Arguments){.command = command_find(word[0])};
    if (arguments->command) return read_arguments(word, words, arguments, arena, error);
    fail_unknown(word[0], arena, error);
    return false;
}

bool command_run(Session *session, const char *const *word, int words, Error *error) {
    const Command *command = command_find(word[0]);
    if (command) return command_run_row(session, command, word, words, error);
    fail_unknown(word[0], &session->scratch, error);
    error->is_usage = true;
    return false;
}

static bool run(Session *session, const Arguments *arguments, Error *error) {
    Pager pager;
    bool paged = arguments->command->pages && pager_begin(&pager, session);
    bool done = arguments->command->run(session, arguments, error);
    if (paged) pager_end(&pager);
    return done;
}

bool command_asks_help(const char *const *word, int words) {
    for (int w = 1; w < words && strcmp(word[w], "--") != 0; w++)
        if (strcmp(word[w], "--help") == 0 || strcmp(word[w], "-h") == 0) return true;
    return false;
}

bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error) {
    const char *const help[] = {"help", command->name};
    if (command_asks_help(word, words) && command_find(command->name))
        return command_run(session, help, 2, error);
    Arguments arguments = {.command = command};
    if (!read_arguments(word, words, &arguments, &session->scratch, error)) {
        error->is_usage = true;
        return false;
    }
    return set_display(session, &arguments, error) &&
           prepare(session, &arguments, error) &&
           show_lens_ready(session, &arguments, error) &&
           (!takes_addresses(&arguments) ||
            standing_write_out(session, &arguments, error)) &&
           run(session, &arguments, error) && page_done(&session->page, error);
}

bool command_line(Session *session, const char *line, Error *error) {
    const char *word[WORDS_MAX];
    int words;
    if (!command_split(line, &session->scratch, word, &words, error)) return false;
    if (words == 0) return fail(error, "a colon begins a command; :help lists them");
    session->command = arena_print(&session->scratch, ":%s", line);
    return command_run(session, word, words, error);
}
