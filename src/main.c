/* glassbox - every number of a Transformer. Takes the program's own arguments and hands
 * over to the prompt or to one command. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/command.h"
#include "shell/help.h"
#include "shell/line.h"
#include "shell/version.h"
#include "shell/window_text.h"

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

static void complain(Session *session, const Error *error) {
    page_flush(&session->page);
    fprintf(stderr, "glassbox: %s%s\n", session_safe(session, error->message),
            error->details);
}

static void greet(Session *session) {
    const Model *model = &session->model;
    Page *page = &session->page;
    bool untrained = model->steps && strcmp(model->steps, "0") == 0;
    page_line(page, "glassbox %s: every number of a Transformer", glassbox_version);
    page_line(page, "model %s", session_safe(session, model->path));
    page_line(page, "%s%s", network_describe(&model->config, page->arena),
              untrained ? " (initial weights: it has not learned yet)" : "");
    page_line(page, "Type a sentence; Enter goes to its next stage. :help  :quit");
    page_flush(page);
}

/* `glassbox` alone, or with --model DIR and what concerns the display. */
static int run_prompt(Session *session, const char *model) {
    Error error;
    if (!session_open(session, model, &error)) {
        complain(session, &error);
        return STATUS_FAILED;
    }
    greet(session);
    return line_loop(session) ? STATUS_DONE : STATUS_FAILED;
}

static int run_command(Session *session, const char *const *word, int words) {
    Error error = {0};
    const Command *command = command_find(word[0]);
    if (command && command->only_prompt) {
        fail(&error, "%s is for the prompt: start glassbox and type :%s", word[0],
             word[0]);
        complain(session, &error);
        return STATUS_USAGE;
    }
    if (command_run(session, word, words, &error)) return STATUS_DONE;
    complain(session, &error);
    return error.is_usage ? STATUS_USAGE : STATUS_FAILED;
}

static int run(Session *session, const char *const *argument, int count) {
    if (count == 0) return run_prompt(session, NULL);
    if (strcmp(argument[0], "--help") == 0 || strcmp(argument[0], "-h") == 0) {
        help_program(&session->page);
        return STATUS_DONE;
    }
    if (strcmp(argument[0], "--version") == 0)
        return run_command(session, (const char *[]){"version"}, 1);
    if (strcmp(argument[0], "--model") == 0 && count == 2)
        return run_prompt(session, argument[1]);
    return run_command(session, argument, count);
}

/* What was printed must have arrived: a full disk is a failure, too. */
static int close_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fputs("glassbox: cannot write to standard output\n", stderr);
    return STATUS_FAILED;
}

/* A file of ours must never be opened as a standard stream that was closed: what is
 * printed would go there. Reading or writing such a stream fails. */
static void occupy_standard_streams(void) {
    static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", mode[stream]) < 0) return;
}

int main(int count, char **argument) {
    occupy_standard_streams();
    Arena arena = {0};
    Session *session = session_new(&arena);
    const Display *options = &session->options;
    TextWindow *out = window_text_new(&arena, stdout, &options->width, &options->color);
    TextWindow *messages =
        window_text_new(&arena, stderr, &options->width, &options->color);
    session->page.window = &out->window;
    session->messages.window = &messages->window;
    /* Only how letters are told apart, and always as UTF-8: numbers keep their point.
     */
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
    signal(SIGXFSZ, SIG_IGN); /* a file too large is an error of write(), not our end */
    const char **word = ARENA_ARRAY(&arena, const char *, count);
    for (int i = 1; i < count; i++) word[i - 1] = argument[i];
    int status = close_output(run(session, word, count - 1));
    session_free(session);
    window_text_free(out);
    window_text_free(messages);
    arena_free(&arena);
    return status;
}
