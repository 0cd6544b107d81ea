#include "shell/line.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "shell/complete.h"
#include "shell/dispatch.h"
#include "text/unicode.h"

/* readline calls back without an argument of ours. */
static const Session *completing;

/* Run one line. A failure goes to standard error. */
static bool run_line(Session *session, const char *line, size_t length) {
    Error error;
    bool done = dispatch_line(session, line, length, &error);
    /* The terminal has written ^C wherever the cursor stood. */
    if (interrupt_signal()) fputs("\n", stderr);
    if (!done)
        fprintf(stderr, "%s%s\n", session_safe(session, error.message), error.details);
    return done;
}

/* One line of standard input with its end, in `arena`; false at the end of the input.
 * Of a line that is too long only so much is kept that this can be seen. */
static bool read_line(Arena *arena, Bytes *line) {
    size_t room = 1024;
    char *text = arena_take(arena, room);
    size_t size = 0;
    int c;
    while ((c = getc(stdin)) != EOF) {
        if (size == room && size <= LINE_BYTES_MAX) {
            char *larger = arena_take(arena, 2 * room);
            memcpy(larger, text, size);
            text = larger;
            room *= 2;
        }
        if (size < room) text[size++] = (char)c;
        if (c == '\n') break;
    }
    *line = (Bytes){text, size};
    return size > 0;
}

static bool run_input(Session *session) {
    Arena arena = {0};
    Bytes line;
    bool done = true;
    while (!session->done && read_line(&arena, &line)) {
        done = run_line(session, line.bytes, line.size) && done;
        arena_reset(&arena);
    }
    arena_free(&arena);
    if (!ferror(stdin)) return done;
    fprintf(stderr, "glassbox: cannot read standard input: %s\n", strerror(errno));
    return false;
}

/* One match after the other for readline, which frees what it gets. */
static char *next_match(const char *word, int state) {
    static int i;
    if (state == 0) i = 0;
    Arena arena = {0};
    const char *line = arena_copy(&arena, rl_line_buffer, (size_t)rl_point);
    const char *match = complete_word(completing, line, word, i++, &arena);
    char *copy = match ? strdup(match) : NULL;
    arena_free(&arena);
    return copy;
}

static char **complete(const char *word, int start, int end) {
    (void)start;
    Arena arena = {0};
    const char *line = arena_copy(&arena, rl_line_buffer, (size_t)end);
    bool file = complete_wants_file(line, word);
    arena_free(&arena);
    rl_attempted_completion_over = !file;
    rl_completion_append_character = word[0] == '\0' || strchr(word, '=') ? '\0' : ' ';
    return file ? NULL : rl_completion_matches(word, next_match);
}

/* What was pasted in several lines is one: a line of the history ends with its line. */
static void join_lines(char *line) {
    for (; *line; line++)
        if (*line == '\n' || *line == '\r') *line = ' ';
}

/* The program may end while a line is edited, where there is no memory left. */
static void restore_terminal(void) {
    if (RL_ISSTATE(RL_STATE_TERMPREPPED)) rl_deprep_terminal();
}

/* readline's settings, but read() returns when there is nothing to read: Ctrl-C empties
 * the input, perhaps after poll() has seen it. */
static void prepare_terminal(int meta) {
    struct termios settings;
    rl_prep_terminal(meta);
    if (tcgetattr(STDIN_FILENO, &settings) != 0) return;
    settings.c_cc[VMIN] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

/* readline waits for the terminal before it tells us of a signal. */
static void release_terminal(void) {
    interrupt_resume_output();
    rl_deprep_terminal();
}

/* What signals came; true where one ends the line, of which readline has then told us
 * and put the terminal in order. */
static bool is_interrupted(void) {
    bool stopped = rl_pending_signal() == SIGTSTP;
    rl_check_signals();
    if (stopped) rl_forced_update_display(); /* in the foreground again */
    return interrupt_signal() != 0;
}

/* The next byte for readline; EOF ends its line. */
static int read_key(FILE *in) {
    /* A signal that comes just before poll() is seen this much later. */
    enum { MILLISECONDS = 100 };
    struct pollfd input = {.fd = fileno(in), .events = POLLIN};
    unsigned char byte;
    for (;;) {
        if (is_interrupted()) return EOF;
        if (poll(&input, 1, MILLISECONDS) <= 0) continue;
        ssize_t count = read(input.fd, &byte, 1);
        if (count == 1) return byte;
        if (count == 0 && !(input.revents & POLLHUP)) continue;
        if (count == 0 || (errno != EINTR && errno != EAGAIN)) return EOF;
    }
}

/* readline takes the kind of letters from the environment each time; here they are
 * always UTF-8. */
static void set_letters(void) {
    bool known = setlocale(LC_CTYPE, "") != NULL;
    if (!known || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setenv("LC_ALL", "C.UTF-8", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
}

static void prepare_readline(Session *session) {
    set_letters();
    completing = session;
    atexit(restore_terminal);
    rl_getc_function = read_key;
    rl_prep_term_function = prepare_terminal;
    rl_deprep_term_function = release_terminal;
    rl_readline_name = "glassbox";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t";
    rl_completer_quote_characters = "";
    rl_variable_bind("enable-bracketed-paste", "on");
    using_history();
    stifle_history(HISTORY_LINES);
}

/* Read a line and run it; false where the session ends. Ctrl-C takes back the line, or
 * ends what it began; another signal ends the session. */
static bool run_next(Session *session, int *ended_by) {
    char *line = readline("> ");
    bool interrupted = interrupt_signal() != 0;
    /* The keys of a sequence that was cut off wait to be read a second time. */
    while (interrupted && rl_read_key() >= 0) continue;
    if (line && !interrupted) {
        join_lines(line);
        if (history_add(&session->history, line)) add_history(line);
        run_line(session, line, strlen(line));
    }
    if (!line) page_gap(&session->page);
    bool ended = !line && !interrupted;
    rl_free(line);
    int number = interrupt_answer();
    if (number != SIGINT) *ended_by = number;
    return !ended && !*ended_by && !session->done;
}

static bool run_prompt(Session *session) {
    prepare_readline(session);
    interrupt_catch();
    Arena arena = {0};
    const char *path = history_path(&arena);
    if (path) history_read(&session->history, path);
    for (int i = 0; i < session->history.count; i++)
        add_history(session->history.line[i]);
    int ended_by = 0;
    while (run_next(session, &ended_by)) continue;
    Error error;
    if (path && !history_save(&session->history, path, &error))
        fprintf(stderr, "the history is not kept: %s\n",
                unicode_escape(error.message, strlen(error.message), &arena));
    arena_free(&arena);
    page_flush(&session->page);
    if (ended_by) interrupt_end(ended_by);
    return true;
}

bool line_loop(Session *session) {
    bool prompt = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    return prompt ? run_prompt(session) : run_input(session);
}
