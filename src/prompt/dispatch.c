#include "prompt/dispatch.h"

#include <limits.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/terminal.h"
#include "command/figure_flags.h"
#include "present/answers.h"
#include "present/draw_alone.h"
#include "present/show_lens.h"
#include "present/visit.h"
#include "prompt/line_edit.h"
#include "prompt/reading.h"
#include "session/addresses.h"
#include "session/branches.h"
#include "session/models.h"
#include "session/variants.h"
#include "window/text.h"

/* Collects the output of a command to show it one screenful at a time. No external
 * program is used. */
typedef struct {
    TextWindow *window;
    FILE *out; /* previous output of the window */
    Arena arena;
    Styled kept; /* output of the command, in the arena */
} Pager;

/* Return false, without changing anything, if this is not a prompt, if the pager is
 * off, or if a key is waiting: it belongs to the next command. */
static bool pager_begin(Pager *pager, Session *session) {
    const Window *window = session->page.window;
    if (!session->input.is_prompt || session->screen.is_on || !session->options.pager ||
        !window || terminal_key_waits())
        return false;
    *pager = (Pager){.window = window->state};
    pager->kept.text.arena = &pager->arena;
    FILE *kept = builder_stream(&pager->kept.text);
    if (!kept) return false;
    pager->out = pager->window->out;
    pager->window->out = kept;
    pager->window->kept = &pager->kept;
    return true;
}

/* Return the length of the lines, at least one, that fill a screen except for one
 * row. */
static size_t screenful(const char *text) {
    TerminalSize size = terminal_size();
    Arena arena = {0};
    int rows = 0;
    size_t fits = 0;
    while (text[fits]) {
        size_t length = strcspn(text + fits, "\n");
        int width = unicode_width(arena_copy(&arena, text + fits, length));
        rows += width <= size.columns ? 1 : (width + size.columns - 1) / size.columns;
        if (fits && rows >= size.rows) break;
        fits += length + (text[fits + length] == '\n');
    }
    arena_free(&arena);
    return fits;
}

/* Wait for a key. Return true to continue. */
static bool wants_more(FILE *out) {
    Arena arena = {0};
    const char *question = unicode_cut(tr(N_("-- more: Enter or Space, q ends --")),
                                       terminal_size().columns - 1, &arena);
    int key;
    fputs(question, out);
    fflush(out);
    do key = terminal_key();
    while (key == 0 || (key > 0 && !strchr("\r\n qQ\x04:+-", key)));
    /* The key starts the next command. */
    if (key > 0 && strchr(":+-", key)) line_edit_give_back((char)key);
    fprintf(out, "\r%*s\r", unicode_width(question), "");
    arena_free(&arena);
    return key > 0 && strchr("\r\n ", key);
}

/* Show the output: at once if it fits, else wait for a key after each screenful. */
static void pager_end(Pager *pager) {
    FILE *out = pager->out;
    fclose(pager->window->out);
    pager->window->out = out;
    pager->window->kept = NULL;
    const char *text = styled_text(&pager->kept);
    for (int at = 0; text[at] && !interrupt_signal();) {
        int end = at + (int)screenful(text + at);
        styled_write(&pager->kept, at, end, window_text_colors(pager->window), out);
        at = end;
        if (text[at] && !wants_more(out)) break;
    }
    arena_free(&pager->arena);
}

bool dispatch_request(const Arguments *arguments, Request *request, Error *error) {
    request->source = arguments_flag(arguments, "source");
    request->source_ids = arguments_flag(arguments, "source-ids");
    request->target = arguments_flag(arguments, "target");
    request->target_ids = arguments_flag(arguments, "target-ids");
    if (!arguments_number(arguments, "limit", 1, INT_MAX, &request->limit, error))
        return false;
    if (request->source && request->source_ids)
        return fail(error, "give --source or --source-ids, not both");
    if (request->target && request->target_ids)
        return fail(error, "give --target or --target-ids, not both");
    return true;
}

/* Run the sentences in the flags, or keep the current ones. */
static bool prepare_run(Session *session, const Arguments *arguments, Error *error) {
    Request request = {0};
    if (!dispatch_request(arguments, &request, error)) return false;
    if (request.source || request.source_ids)
        return session_run(session, &request, error);
    if (session->run->is_made && (request.target || request.target_ids))
        return fail(error, "--target goes with --source; :target gives one to the "
                           "current sentence");
    if (session->run->is_made) return true;
    if (session->toy.tape.count && command_flag_named(arguments->command, "toy"))
        return true;
    return !alone_mistyped(arguments, &session->scratch, error) &&
           fail(error, "no sentence to run; type one, or give --source");
}

/* Prepare the model, the sentences and the current sentence. */
static bool prepare(Session *session, const Arguments *arguments, Error *error) {
    const Needs needs = command_needs(arguments);
    const char *toy = arguments_flag(arguments, "toy");
    if (toy) return session_toy(session, toy, error);
    const char *named = arguments_flag(arguments, "model");
    const char *model = named || !needs.first_model ? named : models_first();
    int row = 0;
    if (!arguments_number(arguments, "batch", 0, ROWS_MAX - 1, &row, error) ||
        (needs.model && (model || !session->has_model) &&
         !session_open(session, model, error)) ||
        (needs.model && !session_is_intact(session, error)) ||
        (needs.model && arguments_flag(arguments, "option") &&
         !variants_take_flags(session, arguments, error)))
        return false;
    bool has_sentence = session->run->is_made || arguments_flag(arguments, "source") ||
                        arguments_flag(arguments, "source-ids");
    if (!needs.run && !(needs.run_if_any && has_sentence)) return true;
    if (!prepare_run(session, arguments, error)) return false;
    const char *picks = arguments_flag(arguments, "picks");
    if (arguments_flag(arguments, "batch") && !session_choose(session, row, error))
        return false;
    return !picks || branches_follow(session, picks, error);
}

/* Return true if the words are addresses of a run; other commands have their own. */
static bool takes_addresses(const Arguments *arguments) {
    const Alone *alone = alone_find(arguments);
    return arguments->command->choice == CHOICE_ADDRESS &&
           !arguments->command->reads_words &&
           (arguments_flag(arguments, "toy") || command_needs(arguments).run) &&
           !(alone && alone->needs.run);
}

bool command_run(Session *session, const char *const *word, int words, Error *error) {
    const Command *command = command_find(word[0]);
    if (command) return command_run_row(session, command, word, words, error);
    command_fail_unknown(word[0], &session->scratch, error);
    error->is_usage = true;
    return false;
}

bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error) {
    const char *const help[] = {"help", command->name};
    Display *options = &session->options;
    Arguments arguments = {.command = command};
    Pager pager;
    if (command_asks_help(word, words) && command_find(command->name))
        return command_run(session, help, 2, error);
    if (!command_read_arguments(word, words, &arguments, &session->scratch, error)) {
        error->is_usage = true;
        return false;
    }
    if (!arguments_choice(&arguments, "color", color_modes, &options->color, error) ||
        !arguments_choice(&arguments, "language", languages, &options->language,
                          error) ||
        (!figure_flags_has_width(&arguments) &&
         !arguments_number(&arguments, "width", 20, 10000, &options->width, error)))
        return false;
    language_choose(options->language);
    if (!prepare(session, &arguments, error) ||
        !show_lens_ready(session, &arguments, error) ||
        (takes_addresses(&arguments) && !expand_addresses(session, &arguments, error)))
        return false;
    bool paged = command->pages && pager_begin(&pager, session);
    bool done = command->run(session, &arguments, error);
    if (paged) pager_end(&pager);
    return done && page_done(&session->page, error);
}

/* Run a line that was typed at the prompt, without the colon. */
static bool command_line(Session *session, const char *line, Error *error) {
    const char *word[WORDS_MAX];
    int words;
    if (!command_split(line, &session->scratch, word, &words, error)) return false;
    if (words == 0) return fail(error, "a colon starts a command; :help lists them");
    session->command = arena_print(&session->scratch, ":%s", line);
    return command_run(session, word, words, error);
}

/* Other ways to type a command. */
static const struct {
    const char *typed, *command;
} short_forms[] = {
    {"help", "help"},    {"next", "next"}, {"back", "back"},  {"quit", "quit"},
    {"exit", "quit"},    {":h", "help"},   {":?", "help"},    {":n", "next"},
    {":b", "back"},      {":q", "quit"},   {":exit", "quit"}, {"+", "more"},
    {"++", "more 2"},    {"--", "less 2"}, {"-", "less"},     {"?", "help"},
    {"＋", "more"},      {"－", "less"},   {"？", "help"},    {"도움말", "help"},
    {":도움말", "help"}, {"종료", "quit"}, {":종료", "quit"},
};

/* Return the command that `line` is short for, or NULL. */
static const char *command_meant(const char *line) {
    for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++)
        if (strcmp(line, short_forms[i].typed) == 0) return short_forms[i].command;
    return NULL;
}

bool dispatch_is_blank(const char *line) {
    return line[strspn(line, " \t")] == '\0';
}

bool dispatch_is_comment(const char *line) {
    return line[strspn(line, " \t")] == '#';
}

/* Ignore blanks before the colon, and accept the full-width colon of Korean keyboards.
 */
const char *dispatch_command(const char *line) {
    static const char wide[] = "：";
    const char *command = command_meant(line);
    if (command) return command;
    line += strspn(line, " \t");
    if (*line == ':') return line + 1;
    return strncmp(line, wide, strlen(wide)) == 0 ? line + strlen(wide) : NULL;
}

bool dispatch_meant(Session *session, const char *line, Error *error) {
    if (dispatch_is_blank(line) && session->reading.offer.model)
        return command_line(
            session,
            arena_print(&session->scratch, "model %s", session->reading.offer.model),
            error);
    if (dispatch_is_blank(line)) {
        Pager pager;
        bool paged = pager_begin(&pager, session);
        bool done = visit_next(session, error);
        if (paged) pager_end(&pager);
        return done;
    }
    if (dispatch_is_comment(line)) return true;
    const char *command = dispatch_command(line);
    if (command) return command_line(session, command, error);
    if (!session->has_model && !session_open(session, NULL, error)) return false;
    /* A backslash makes a line a sentence. */
    bool protects = line[0] == '\\' &&
                    (line[1] == ':' || line[1] == '#' || command_meant(line + 1));
    const Request request = {.source = line + protects,
                             .limit = session_usual_limit(session)};
    session->command = line;
    if (reading_offers(session, request.source)) return true;
    if (!session_run(session, &request, error)) return false;
    answers_say(session);
    /* A command's name is hardly ever meant as a sentence. */
    if (command_find(line))
        page_note(&session->page,
                  "the model read this as a sentence; the command is "
                  ":%s",
                  line);
    return true;
}
