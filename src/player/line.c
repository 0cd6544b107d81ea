#include "player/line.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/terminal.h"
#include "player/lesson_exec.h"
#include "player/lessons.h"
#include "player/player.h"
#include "player/player_progress.h"
#include "prompt/dispatch.h"
#include "prompt/error_print.h"
#include "prompt/line_edit.h"
#include "session/program.h"
#include "store/about.h"
#include "text/unicode.h"

void line_greet_model(Session *session) {
    const Model *model = &session->model;
    Page *page = &session->page;
    Arena *arena = page->arena;
    const char *slash = strrchr(model->path, '/');
    const char *name = slash && slash[1] ? slash + 1 : model->path;
    About about;
    Error error;
    if (!about_read(&about, model->path, arena, &error))
        error_print(session, "", &error);
    const char *shape = network_describe(&model->config, arena);
    if (*about.purpose)
        page_line(page, "%s: %s", session_safe(session, name),
                  session_safe(session, about.purpose));
    else
        page_line(page, "model %s", session_safe(session, model->path));
    if (*about.knows) page_line(page, "%s", session_safe(session, about.knows));
    page_line(page, model_is_untrained(model) ? N_("%s, untrained") : "%s", shape);
    page_gap(page);
    bool is_alone = config_is_decoder_alone(&model->config);
    if (*about.example[0])
        page_line(page,
                  is_alone ? N_("Type the start of a text, such as: %s")
                           : N_("Type a sentence, such as: %s"),
                  session_safe(session, about.example[0]));
    else if (is_alone)
        page_line(page, "Type the start of a text; the model continues it.");
    else if (model->config.masked_words)
        page_line(page, "Type a sentence with ___ in place of a word.");
    else
        page_line(page, "Type a sentence.");
}

void line_greet(Session *session) {
    Page *page = &session->page;
    page_line(page, "glassbox %s: every number of a Transformer", program_version);
    line_greet_model(session);
    page_line(
        page,
        ":lesson  a course    :models  other models    :screen    :help    :quit");
    Arena *arena = &session->scratch;
    const LessonProgress *last = lessons_last_progress(arena);
    if (last && !last->done && isdigit((unsigned char)*last->lesson))
        page_hint(
            page,
            trf(arena, "continue with \"%s\"", session_safe(session, last->title)),
            arena_print(arena, ":lesson %d", (int)strtol(last->lesson, NULL, 10)));
}

/* In a lesson, Enter continues the lesson, and a plain line may be an answer. Other
 * lines run as usual, in the lesson's folder if they name files there. */
static bool run_in_lesson(Session *session, const char *line, Error *error) {
    Player *player = session->lesson.player;
    EnteredFolder entered;
    if (!session->lesson.is_open) return dispatch_meant(session, line, error);
    if (dispatch_is_comment(line)) return true;
    if (dispatch_is_blank(line)) return player_next(session, error);
    if (!dispatch_command(line) || player_means_token(session, line)) {
        if (player_wants_answer(session)) return player_take(session, line, error);
        if (player_refuses(session, line)) return true;
    }
    if (!dispatch_command(line) && player_guesses_again(session, line)) return true;
    player->was_own = false;
    if (!lesson_exec_enter(player->shares_folder ? player->folder : NULL, &entered,
                           error))
        return false;
    bool done = dispatch_meant(session, line, error);
    lesson_exec_leave(&entered);
    return done && player_follow(session, error);
}

bool line_run(Session *session, const char *line, Error *error) {
    const size_t length = strlen(line);
    *error = (Error){0};
    session_clear(session);
    const char *copy = arena_copy(&session->scratch, line, length);
    bool done = length > LINE_BYTES_MAX
                    ? fail(error,
                           "the line has more than %d bytes, which is the limit; "
                           "shorten it",
                           LINE_BYTES_MAX)
                    : run_in_lesson(session, copy, error);
    done = done && page_done(&session->page, error) && player_is_saved(session, error);
    page_flush(&session->page);
    /* After an interrupt, other errors do not matter. */
    return interrupt_none(error) && done;
}

/* Print errors to standard error. */
static bool run_and_report(Session *session, const char *line) {
    Error error;
    bool done = line_run(session, line, &error);
    /* The terminal has written ^C at the cursor. */
    if (interrupt_signal()) fputs("\n", stderr);
    if (!done) error_print(session, "", &error);
    return done;
}

/* Read a byte from a terminal; a signal ends the wait. read() must not block, since
 * Ctrl-C may discard input that poll() has reported. Change this only during the call,
 * because the shell shares the open terminal. */
static int read_typed(void) {
    Error error;
    unsigned char byte;
    while (interrupt_wait(STDIN_FILENO, POLLIN, &error)) {
        int flags = fcntl(STDIN_FILENO, F_GETFL);
        fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        int cause = errno;
        fcntl(STDIN_FILENO, F_SETFL, flags);
        if (count == 1) return byte;
        if (count == 0 || (cause != EAGAIN && cause != EINTR)) break;
    }
    return EOF;
}

char *line_read(bool is_typed, Arena *arena) {
    char *text = NULL;
    int size = 0;
    int capacity = 0;
    for (int c = 0; c != '\n';) {
        c = is_typed ? read_typed() : getc(stdin);
        if (c == EOF) break;
        if (size > LINE_BYTES_MAX) continue;
        ARENA_GROW(arena, text, size, capacity);
        text[size++] = (char)c;
    }
    Bytes line = file_without_mark((Bytes){text, (size_t)size});
    return line.size ? file_line(&line, arena) : NULL;
}

const char *line_prompt(const Session *session) {
    return player_wants_answer(session) ? "? " : "> ";
}

/* Read a line and run it; false at the end of the session. Ctrl-C cancels the line, or
 * interrupts its command; other signals end the session. */
static bool run_next(Session *session, Arena *arena, int *ended_by) {
    char *line;
    if (line_edit_fits()) {
        line = line_edit(line_prompt(session), arena);
    } else { /* with the terminal's own line editing */
        fputs(line_prompt(session), stdout);
        fflush(stdout);
        line = line_read(true, arena);
    }
    bool interrupted = interrupt_signal() != 0;
    if (line && !interrupted) {
        if (history_add(&session->input.history, line)) line_edit_remember(line);
        run_and_report(session, line);
    }
    if (!line) page_gap(&session->page);
    bool ended = !line && !interrupted;
    arena_reset(arena);
    int number = interrupt_answer();
    if (number != SIGINT) *ended_by = number;
    return !ended && !*ended_by && !session->input.done;
}

static bool run_prompt(Session *session) {
    session->input.is_prompt = true;
    terminal_keep();
    line_edit_begin(session);
    interrupt_catch();
    Arena arena = {0};
    Error error;
    history_open(&session->input.history);
    for (int i = 0; i < session->input.history.count; i++)
        line_edit_remember(session->input.history.line[i]);
    int ended_by = 0;
    Arena lines = {0};
    if (session->screen.begins) {
        session->screen.is_on = true;
        bool opened = session->screen.show(session, &error);
        session->screen.is_on = false;
        /* Leaving the screen ends the program. If the screen cannot be shown, use the
         * prompt. */
        if (opened)
            session->input.done = interrupt_signal() == 0;
        else
            error_print(session, "", &error);
    }
    while (!session->input.done && run_next(session, &lines, &ended_by)) continue;
    arena_free(&lines);
    interrupt_hold(true); /* a late signal must not lose the history */
    if (!history_close(&session->input.history, &error))
        fprintf(stderr, tr("the history cannot be kept: %s\n"),
                unicode_escape(error.message, strlen(error.message), &arena));
    arena_free(&arena);
    page_flush(&session->page);
    if (ended_by) interrupt_end(ended_by);
    return true;
}

bool line_is_prompt(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool line_loop(Session *session) {
    session->input.by_line = true;
    if (line_is_prompt()) return run_prompt(session);
    Arena arena = {0};
    const char *line;
    bool done = true;
    while (!session->input.done && !interrupt_signal() &&
           (line = line_read(false, &arena))) {
        done = run_and_report(session, line) && done;
        arena_reset(&arena);
    }
    arena_free(&arena);
    if (!ferror(stdin)) return done;
    fprintf(stderr, tr("glassbox: cannot read standard input: %s\n"),
            error_reason(errno));
    return false;
}
