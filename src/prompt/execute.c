#include "prompt/execute.h"

#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "present/draw_alone.h"
#include "present/show_lens.h"
#include "prompt/pager.h"
#include "session/forks.h"
#include "session/standing.h"
#include "session/variants.h"
#include "window/text.h"

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
    if (session->run->is_made && (request.target || request.target_ids))
        return fail(error, "--target belongs to --source; :target gives one to the "
                           "sentence at hand");
    if (session->run->is_made) return true;
    if (session->toy.count && command_flag_named(arguments->command, "toy"))
        return true;
    return fail(error, "there is no sentence yet: type one, or give --source");
}

static bool has_sentence(const Session *session, const Arguments *arguments) {
    return session->run->is_made || arguments_flag(arguments, "source") ||
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

bool command_run(Session *session, const char *const *word, int words, Error *error) {
    const Command *command = command_find(word[0]);
    if (command) return command_run_row(session, command, word, words, error);
    command_fail_unknown(word[0], &session->scratch, error);
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

bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error) {
    const char *const help[] = {"help", command->name};
    if (command_asks_help(word, words) && command_find(command->name))
        return command_run(session, help, 2, error);
    Arguments arguments = {.command = command};
    if (!command_read_arguments(word, words, &arguments, &session->scratch, error)) {
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
