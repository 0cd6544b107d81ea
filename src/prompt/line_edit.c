#include "prompt/line_edit.h"

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

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "prompt/complete.h"
#include "prompt/readline_fixes.h"
#include "text/unicode.h"

enum { LEAST_COLUMNS = 20, LEAST_ROWS = 3 };

static const char begin_of_paste[] = "\x1b[200~";
static const char end_pastes[] = "\x1b[?2004l";

/* Global, because the callbacks of readline have no argument for it. */
static struct {
    const Session *session; /* for completion */
    TerminalSize size;      /* that readline assumes */
    size_t matched;         /* bytes of a paste mark that were read so far */
    bool in_paste;
    char given_back; /* a key to read first; '\0': none */
    int ends_given;  /* bytes of the end of a paste */
} edit;

/* Return the matches to readline one at a time; readline frees them. */
static char *next_match(const char *word, int state) {
    static Arena arena;
    static const char *const *match;
    static int count;
    static int i;
    if (state == 0) {
        const char *line = arena_copy(&arena, rl_line_buffer, (size_t)rl_point);
        match = complete_words(edit.session, line, word, &arena, &count);
        i = 0;
    }
    if (i < count) return strdup(match[i++]);
    arena_free(&arena);
    return NULL;
}

static char **complete(const char *word, int start, int end) {
    (void)start;
    Arena arena = {0};
    const char *line = arena_copy(&arena, rl_line_buffer, (size_t)end);
    bool file = complete_wants_file(line, word);
    bool whole = complete_is_whole(line, word);
    arena_free(&arena);
    rl_attempted_completion_over = !file;
    rl_completion_append_character = whole ? ' ' : '\0';
    return file ? NULL : rl_completion_matches(word, next_match);
}

/* Restore the terminal if memory runs out during editing. */
static void restore_terminal(void) {
    if (RL_ISSTATE(RL_STATE_TERMPREPPED)) rl_deprep_terminal();
}

/* Use readline's settings, except that read() does not block, since Ctrl-C may discard
 * input that poll() has reported, and that Ctrl-S does not stop the output, since a
 * list of matches (and a signal) would wait for Ctrl-Q. */
static void prepare_terminal(int meta) {
    struct termios settings;
    const char *pastes = rl_variable_value("enable-bracketed-paste");
    if (pastes && strcmp(pastes, "on") == 0) terminal_undo(end_pastes);
    rl_prep_terminal(meta);
    if (tcgetattr(STDIN_FILENO, &settings) != 0) return;
    settings.c_cc[VMIN] = 0;
    settings.c_iflag &= ~(tcflag_t)IXON;
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

/* Restore the terminal. Resume output first, since readline waits for it before it
 * reports a signal. */
static void release_terminal(void) {
    interrupt_resume_output();
    rl_deprep_terminal();
    terminal_undo(NULL);
}

/* Return the size of the terminal, or the minimum that readline can draw in. */
static TerminalSize drawable_size(void) {
    TerminalSize size = terminal_size();
    if (size.rows < LEAST_ROWS) size.rows = LEAST_ROWS;
    if (size.columns < LEAST_COLUMNS) size.columns = LEAST_COLUMNS;
    return size;
}

/* On a resize, readline compares lines that were wrapped at different widths, and
 * overruns its buffers during rapid resizes. So clear its copy of the screen first. */
static void follow_size(void) {
    TerminalSize size = drawable_size();
    if (size.rows == edit.size.rows && size.columns == edit.size.columns) return;
    /* During a multi-key command (a paste, a search) only part of the line is drawn. */
    if (RL_ISSTATE(RL_STATE_MOREINPUT)) return;
    rl_clear_visible_line();
    edit.size = size;
    rl_set_screen_size(size.rows, size.columns);
    rl_forced_update_display();
}

/* Return true if it is not the first byte of a UTF-8 letter. */
static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* A terminal that cannot move the cursor up, such as TERM=dumb, has one row for the
 * line. To scroll it, readline 8.2 splits letters, and compares a screen's width of
 * bytes beyond the end of its buffers. So give it only as much as fits around the
 * cursor. Return false if the prompt of a search leaves no room; cutting the prompt
 * then redraws the line. */
static bool fit_row(Arena *arena) {
    enum { SPARE = 3, MARKS = 2, ROOM_MIN = 8 };
    const char *up = rl_get_termcap("up");
    const char *sideways = rl_variable_value("horizontal-scroll-mode");
    if (up && *up && !(sideways && strcmp(sideways, "on") == 0)) return true;
    int prompt = (int)strlen(rl_display_prompt);
    int room = edit.size.columns - prompt - SPARE - MARKS;
    if (room < ROOM_MIN) {
        const char *end = rl_display_prompt + prompt - edit.size.columns / 2 + SPARE;
        while (continues(*end)) end++;
        rl_message("%s", arena_print(arena, "%s", end));
        return false;
    }
    int half = room / 2;
    int from = rl_point < room ? 0 : (rl_point / half - 1) * half;
    while (continues(rl_line_buffer[from])) from++;
    int to = rl_end - from > room ? from + room : rl_end;
    while (to > rl_point && continues(rl_line_buffer[to])) to--;
    int begin = from ? from - 1 : 0; /* including the mark */
    rl_line_buffer = arena_print(arena, "%s%.*s%s", from ? "<" : "", to - from,
                                 rl_line_buffer + from, to < rl_end ? ">" : "");
    rl_end = (int)strlen(rl_line_buffer);
    rl_point -= begin;
    rl_mark = rl_mark < begin ? 0 : rl_mark - begin > rl_end ? rl_end : rl_mark - begin;
    return true;
}

/* Draw the line with dangerous characters escaped: U+009B controls terminals, and
 * U+202E reverses text. The line itself does not change. */
static void redisplay(void) {
    Arena arena = {0};
    char *line = rl_line_buffer;
    int point = rl_point;
    int end = rl_end;
    int mark = rl_mark;
    int before = point < end ? point : end; /* after a search it may be larger */
    const char *safe_before = unicode_escape(line, (size_t)before, &arena);
    char *safe =
        arena_print(&arena, "%s%s", safe_before,
                    unicode_escape(line + before, (size_t)(end - before), &arena));
    if (strcmp(safe, line) != 0) {
        rl_point = (int)strlen(safe_before);
        rl_mark =
            mark <= end ? (int)strlen(unicode_escape(line, (size_t)mark, &arena)) : 0;
        rl_end = (int)strlen(safe);
        rl_line_buffer = safe;
    }
    if (fit_row(&arena)) rl_redisplay();
    rl_line_buffer = line;
    rl_point = point;
    rl_end = end;
    rl_mark = mark;
    arena_free(&arena);
}

/* Called before readline draws for the first time. rl_redisplay_function is set here
 * because readline does not read terminfo if it is set earlier. */
static int begin_drawing(void) {
    readline_fix_keys();
    rl_redisplay_function = redisplay;
    terminal_keep(); /* on SIGQUIT readline writes, even if Ctrl-S stopped the output */
    interrupt_catch_ends(); /* readline drops a signal if another one follows */
    edit.size = drawable_size();
    rl_set_screen_size(edit.size.rows, edit.size.columns);
    return 0;
}

/* Pass a byte to readline, and check for the start and end of a paste. */
static int hand_out(unsigned char byte) {
    const char *mark = edit.in_paste ? END_OF_PASTE : begin_of_paste;
    if (byte != (unsigned char)mark[edit.matched]) edit.matched = 0;
    if (byte == (unsigned char)mark[edit.matched]) edit.matched++;
    if (!mark[edit.matched]) {
        edit.in_paste = !edit.in_paste;
        edit.matched = 0;
    }
    return byte;
}

static int no_key(void) {
    int byte = readline_byte_at_end(edit.in_paste, &edit.ends_given);
    return byte == EOF ? EOF : hand_out((unsigned char)byte);
}

/* Return the next byte for readline; EOF ends its line. */
static int read_key(FILE *in) {
    /* Delay of a signal or a resize that arrives just before poll(). */
    enum { MILLISECONDS = 100 };
    struct pollfd input = {.fd = fileno(in), .events = POLLIN};
    unsigned char byte = (unsigned char)edit.given_back;
    edit.given_back = '\0';
    if (byte) return byte;
    for (;;) {
        bool stopped = rl_pending_signal() == SIGTSTP;
        /* readline writes before it forwards the signal. */
        if (rl_pending_signal()) interrupt_resume_output();
        rl_check_signals();
        if (stopped) rl_forced_update_display(); /* in the foreground again */
        /* If a signal ended the line, readline has reported it and restored the
         * terminal. */
        if (interrupt_signal()) return no_key();
        follow_size();
        if (poll(&input, 1, MILLISECONDS) <= 0) continue;
        ssize_t count = read(input.fd, &byte, 1);
        if (count == 1) return hand_out(byte);
        if (count == 0 && !(input.revents & POLLHUP)) continue;
        if (count == 0 || (errno != EINTR && errno != EAGAIN)) return no_key();
    }
}

void line_edit_begin(const Session *session) {
    /* readline takes the encoding from the environment each time; use UTF-8. */
    bool known = setlocale(LC_CTYPE, "") != NULL;
    if (!known || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setenv("LC_ALL", "C.UTF-8", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    terminal_clean_environment();
    edit.session = session;
    atexit(restore_terminal);
    at_quick_exit(restore_terminal); /* if memory runs out: base/arena.h */
    rl_getc_function = read_key;
    rl_prep_term_function = prepare_terminal;
    rl_deprep_term_function = release_terminal;
    rl_startup_hook = begin_drawing;
    rl_readline_name = "glassbox";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t";
    rl_completer_quote_characters = "";
    rl_catch_sigwinch = 0; /* see follow_size() */
    rl_change_environment = 0;
    rl_variable_bind("enable-bracketed-paste", "on");
    using_history();
    stifle_history(HISTORY_LINES);
}

bool line_edit_fits(void) {
    TerminalSize size = terminal_size();
    return size.rows >= LEAST_ROWS && size.columns >= LEAST_COLUMNS;
}

char *line_edit(const char *prompt, Arena *arena) {
    edit.in_paste = false;
    edit.matched = 0;
    edit.ends_given = 0;
    char *line = readline(prompt);
    rl_check_signals(); /* one that arrived after the end of the line */
    /* Discard the keys of an interrupted sequence, which would be read again. */
    while (interrupt_signal() && rl_read_key() >= 0) continue;
    /* After a signal readline prepares for the next key, even if the line has ended. */
    if (RL_ISSTATE(RL_STATE_TERMPREPPED)) release_terminal();
    rl_clear_signals();
    interrupt_catch(); /* readline's handlers let signals end writes */
    clearerr(stdout);  /* a signal may have interrupted a write of the drawing */
    readline_fix_history();
    if (!line) return NULL;
    char *copy = arena_copy(arena, line, strlen(line));
    /* A paste of several lines is one line of the history. */
    for (char *c = copy; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    rl_free(line);
    return copy;
}

void line_edit_give_back(char key) {
    edit.given_back = key;
}

void line_edit_remember(const char *line) {
    add_history(line);
}
