/* glassbox - every number of a Transformer. Reads the program's arguments and starts
 * the prompt or a command. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "command/command.h"
#include "commands/help.h"
#include "commands/settings.h"
#include "player/line.h"
#include "prompt/dispatch.h"
#include "prompt/error_print.h"
#include "screen/screen.h"
#include "session/program.h"
#include "session/session.h"
#include "walk/depth.h"
#include "window/text.h"

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

static void complain(Session *session, const Error *error) {
    page_flush(&session->page);
    error_print(session, "glassbox: ", error);
}

static bool run_prompt(Session *session, const Arguments *arguments, Error *error) {
    if (!arguments_choice(arguments, "depth", depths, &session->options.depth, error))
        return false;
    bool screen = arguments_flag(arguments, "screen") != NULL;
    session->screen.begins = screen && line_is_prompt();
    if (screen && !session->screen.begins)
        return fail(error,
                    "the full screen needs a terminal for input and output; to read "
                    "plain lines, leave out --screen");
    if (!session->screen.begins) line_greet(session);
    page_flush(&session->page);
    session->input.failed = !line_loop(session);
    return true;
}

static const Flag flags_walk[] = {
    {"screen", 0, NULL, N_("start in the full screen")},
    {"depth", 0, "DEPTH", N_("numbers, steps, path or boxes: the depth of the walk")},
    {0},
};

/* `glassbox` with no command: the prompt, with its flags. */
static const Command prompt = {
    .name = "glassbox",
    .arguments = "[--model DIR] [--screen]",
    .flags = {flags_model, flags_walk},
    .needs = {.model = true, .first_model = true},
    .run = run_prompt,
};

static int run_row(Session *session, const Command *command, const char *const *word,
                   int words) {
    Error error = {0};
    if (command_run_row(session, command, word, words, &error))
        return session->input.failed ? STATUS_FAILED : STATUS_DONE;
    complain(session, &error);
    return error.is_usage ? STATUS_USAGE : STATUS_FAILED;
}

static int run_command(Session *session, const char *const *word, int words) {
    Error error = {0};
    const Command *command = command_find(word[0]);
    if (command && command->only_prompt && !command_asks_help(word, words)) {
        fail(&error, "%s works only in the prompt; start glassbox and type :%s",
             word[0], word[0]);
        complain(session, &error);
        return STATUS_USAGE;
    }
    if (command_run(session, word, words, &error))
        return session->input.failed ? STATUS_FAILED : STATUS_DONE;
    complain(session, &error);
    return error.is_usage ? STATUS_USAGE : STATUS_FAILED;
}

/* Return the index of a command, possibly misspelled, after the prompt's flags, as in
 * `glassbox --language ko lesson`; 0: none. A word after an unknown flag may be its
 * value. */
static int command_behind(Session *session, const char *const *argument, int count) {
    bool known = true;
    for (int a = 1; a < count; a++) {
        if (argument[a][0] != '-') return known || command_find(argument[a]) ? a : 0;
        const char *written = argument[a] + 1 + (argument[a][1] == '-');
        size_t length = strcspn(written, "=");
        const Flag *flag =
            command_flag_named(&prompt, arena_copy(&session->scratch, written, length));
        known = known && flag;
        if (flag && flag->value && !written[length]) a++;
    }
    return 0;
}

/* `argument[0]` is the program's name. */
static int run(Session *session, const char *const *argument, int count) {
    if (count == 1) return run_row(session, &prompt, argument, count);
    const char *first = argument[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        help_program(&session->page);
        return STATUS_DONE;
    }
    if (strcmp(first, "--version") == 0)
        return run_command(session, (const char *[]){"version"}, 1);
    if (first[0] != '-') return run_command(session, argument + 1, count - 1);
    int place = command_behind(session, argument, count);
    if (!place) return run_row(session, &prompt, argument, count);
    /* Move the command to the front, before the flags. */
    const char **word = ARENA_ARRAY(&session->scratch, const char *, count - 1);
    word[0] = argument[place];
    for (int a = 1, w = 1; a < count; a++)
        if (a != place) word[w++] = argument[a];
    return run_command(session, word, count - 1);
}

/* Open /dev/null in place of closed standard streams. Otherwise a file that the program
 * opens would get the stream's number and its output. The mode makes reads and writes
 * fail. */
static void occupy_standard_streams(void) {
    static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", mode[stream]) < 0) return;
}

/* Set the language before other errors are reported. */
static void choose_language(char *const *argument, int count) {
    static const char flag[] = "--language";
    for (int i = 1; i < count && argument[i]; i++) {
        const char *value = NULL;
        if (strncmp(argument[i], flag, sizeof flag - 1) != 0) continue;
        if (argument[i][sizeof flag - 1] == '=') value = argument[i] + sizeof flag;
        if (!argument[i][sizeof flag - 1] && i + 1 < count) value = argument[i + 1];
        for (int l = 0; value && languages[l]; l++)
            if (strcmp(value, languages[l]) == 0) language_choose(l);
    }
}

int main(int count, char **argument) {
    occupy_standard_streams();
    Arena arena = {0};
    Session *session = session_new(&arena);
    const Display *options = &session->options;
    TextWindow *out = window_text_new(&arena, stdout, &options->width, &options->color);
    TextWindow *messages =
        window_text_new(&arena, stderr, &options->width, &options->color);
    session->screen.show = screen_run;
    session->page.window = &out->window;
    session->messages.window = &messages->window;
    /* Set only the character type, always UTF-8: numbers keep their decimal point. The
     * locale of the messages may not be installed; language_begin() chooses the
     * language. */
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, "C.UTF-8");
    signal(SIGXFSZ, SIG_IGN); /* if a file is too large, only write() fails */
    language_begin(program_folder("locale", &arena));
    Error error;
    bool has_settings = settings_read(&session->options, &session->scratch, &error);
    language_choose(options->language);
    choose_language(argument, count);
    if (!has_settings) complain(session, &error);
    const char **word = ARENA_ARRAY(&arena, const char *, count + 1);
    word[0] = "glassbox";
    for (int i = 1; i < count; i++) word[i] = argument[i];
    int status = run(session, word, count > 0 ? count : 1);
    if (fflush(stdout) != 0 || ferror(stdout)) { /* a full disk is a failure */
        fputs(tr("glassbox: cannot write to standard output\n"), stderr);
        status = STATUS_FAILED;
    }
    /* Guarded work is over. The prompt handles its own signals. */
    int ended_by = session->input.is_prompt ? 0 : interrupt_signal();
    session_free(session);
    window_text_free(out);
    window_text_free(messages);
    arena_free(&arena);
    if (ended_by) interrupt_end(ended_by);
    memory_none_ends();
    return status;
}
