#include "screen/curses.h"

#include <ncurses.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#undef columns /* a capability of terminals, and everybody's word */
#include <termios.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/terminal.h"
#include "screen/curses_parts.h"

/* ncurses has one terminal. */
static struct {
    SCREEN *screen;
    TerminalSize size;
    char undo[512]; /* what ends the screen */
    int undo_size;
} terminal;

static const char begin_pastes[] = "\x1b[?2004h";
static const char end_pastes[] = "\x1b[?2004l";

/* Without the NULs by which old terminals were waited for. */
static int collect(int byte) {
    if (byte && terminal.undo_size < (int)sizeof terminal.undo - 1)
        terminal.undo[terminal.undo_size++] = (char)byte;
    return byte;
}

/* What terminfo says of the terminal; NULL where it has none such. */
static const char *capability(const char *name) {
    char *bytes = tigetstr(name);
    return (intptr_t)bytes == -1 ? NULL : bytes;
}

static void collect_capability(const char *name) {
    const char *bytes = capability(name);
    if (bytes) tputs(bytes, 1, collect);
}

/* A signal that ends the program leaves no time for ncurses; see terminal_undo(). */
static void prepare_undo(void) {
    terminal.undo_size = 0;
    for (const char *c = "\x1b[?1000l\x1b[?1006l"; *c; c++) collect(*c);
    for (const char *c = end_pastes; *c; c++) collect(*c);
    collect_capability("sgr0");
    collect_capability("op");
    collect_capability("rmkx");
    collect_capability("cnorm");
    collect_capability("rmcup");
    terminal.undo[terminal.undo_size] = '\0';
}

static void send(const char *bytes) {
    fputs(bytes, stdout);
    fflush(stdout);
}

/* Ctrl-S would stop the output, and whatever waits for it; Ctrl-V and Ctrl-O are keys
 * here. read() does not wait: Ctrl-C empties the input, perhaps after somebody has seen
 * that there is some. */
static void prepare_settings(void) {
    struct termios settings;
    cbreak();
    noecho();
    nonl();
    if (tcgetattr(STDIN_FILENO, &settings) != 0) return;
    settings.c_iflag &= ~(tcflag_t)IXON;
    settings.c_lflag &= ~(tcflag_t)IEXTEN;
    settings.c_cc[VMIN] = settings.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
    def_prog_mode();
}

/* A new size ends poll(), and no call that writes. ncurses would answer it by what the
 * environment says. */
static void wake(int unused) {
    (void)unused;
}

static void catch_sizes(bool catches) {
    struct sigaction action = {.sa_handler = catches ? wake : SIG_DFL,
                               .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
}

bool curses_follow_size(void) {
    TerminalSize size = terminal_size();
    if (size.rows == terminal.size.rows && size.columns == terminal.size.columns)
        return false;
    terminal.size = size;
    resizeterm(size.rows, size.columns);
    return true;
}

/* ncurses would take a printer for a screen, and end the program where it knows none.
 */
static bool can_address(void) {
    return capability("cup") != NULL;
}

static bool refuse(const char *kind, Error *error) {
    return fail(error,
                "the terminal (TERM=%s) cannot show a screen; the prompt can "
                "do all the same",
                kind);
}

static bool check_kind(const char *kind, Error *error) {
    int found = 1;
    bool is_known = *kind && setupterm(kind, STDOUT_FILENO, &found) == OK;
    bool can = is_known && strcmp(kind, "dumb") != 0 && can_address();
    if (can) prepare_undo();
    if (is_known) del_curterm(cur_term);
    if (can) return true;
    if (found != 1)
        return fail(error,
                    "nothing is known of a terminal called '%s' (TERM), so no "
                    "screen can be shown; the prompt can do all the same",
                    kind);
    return refuse(kind, error);
}

static void prepare_input(void) {
    prepare_settings();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    idcok(stdscr, FALSE); /* shifting letters in a line loses halves of wide ones */
    curses_begin_keys();
}

static void release(void) {
    terminal_undo(NULL);
    terminal_catch_stop(false);
    catch_sizes(false);
    terminal_hear_errors();
}

bool curses_begin(Error *error) {
    const char *kind = getenv("TERM");
    if (!check_kind(kind ? kind : "", error)) return false;
    terminal_keep();
    terminal_clean_environment();
    catch_sizes(true);
    terminal_catch_stop(true);
    terminal_undo(terminal.undo); /* a signal may come before newterm() is done */
    set_escdelay(25);
    terminal.screen = newterm(NULL, stdout, stdin);
    if (!terminal.screen) {
        release();
        return refuse(kind, error);
    }
    prepare_input();
    curses_begin_colors();
    terminal_keep(); /* some libraries answer signals in their own way */
    terminal_hush_errors();
    send(begin_pastes);
    terminal.size = (TerminalSize){0};
    curses_follow_size();
    return true;
}

void curses_end(void) {
    interrupt_resume_output();
    send(end_pastes);
    endwin();
    delscreen(terminal.screen);
    terminal.screen = NULL;
    release();
}

void curses_take_back(void) {
    endwin();
    refresh();
    send(begin_pastes);
}

int curses_rows(void) {
    return terminal.size.rows;
}

int curses_columns(void) {
    return terminal.size.columns;
}
