#include "screen/curses.h"

#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#undef columns /* ncurses defines it as a macro */
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/interrupt.h"
#include "base/terminal.h"
#include "text/unicode.h"

/* Keys that terminfo does not define: start and end of a paste. */
enum { FIRST_OWN_KEY = KEY_MAX + 1 };

enum { PAIRS = 4096 };

/* ncurses has one terminal. */
static struct {
    SCREEN *screen;
    TerminalSize size;
    char undo[512]; /* leaves the full screen */
    int undo_size;
    Colors colors;
    int pairs; /* color pairs in use, from 1 on */
    struct {
        int ink, paper;
    } pair[PAIRS];
} terminal;

static const char begin_pastes[] = "\x1b[?2004h";
static const char end_pastes[] = "\x1b[?2004l";

/* Drop the NULs, which made old terminals wait. */
static int collect(int byte) {
    if (byte && terminal.undo_size < (int)sizeof terminal.undo - 1)
        terminal.undo[terminal.undo_size++] = (char)byte;
    return byte;
}

/* Return a terminfo capability, or NULL. */
static const char *capability(const char *name) {
    char *bytes = tigetstr(name);
    return (intptr_t)bytes == -1 ? NULL : bytes;
}

static void send(const char *bytes) {
    fputs(bytes, stdout);
    fflush(stdout);
}

/* Let SIGWINCH interrupt poll() but not writes. The handler of ncurses would prefer the
 * size in the environment. */
static void wake(int unused) {
    (void)unused;
}

static void catch_sizes(bool catches) {
    struct sigaction action = {.sa_handler = catches ? wake : SIG_DFL,
                               .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
}

static bool follow_size(void) {
    TerminalSize size = terminal_size();
    if (size.rows == terminal.size.rows && size.columns == terminal.size.columns)
        return false;
    terminal.size = size;
    resizeterm(size.rows, size.columns);
    return true;
}

static bool refuse(const char *kind, Error *error) {
    return fail(error,
                "the terminal (TERM=%s) does not support the full screen; the prompt "
                "has the same commands",
                kind);
}

/* Reject terminals that ncurses mishandles: it accepts printers, and exits if the
 * terminal is unknown. Prepare the bytes for terminal_undo(): a signal that ends the
 * program leaves no time to call ncurses. */
static bool check_kind(const char *kind, Error *error) {
    static const char *const undo[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    int found = 1;
    bool is_known = *kind && setupterm(kind, STDOUT_FILENO, &found) == OK;
    bool can = is_known && strcmp(kind, "dumb") != 0 && capability("cup");
    terminal.undo_size = 0;
    for (const char *c = "\x1b[?1000l\x1b[?1006l"; *c; c++) collect(*c);
    for (const char *c = end_pastes; *c; c++) collect(*c);
    for (size_t u = 0; can && u < sizeof undo / sizeof *undo; u++)
        if (capability(undo[u])) tputs(capability(undo[u]), 1, collect);
    terminal.undo[terminal.undo_size] = '\0';
    if (is_known) del_curterm(cur_term);
    if (can) return true;
    if (found != 1)
        return fail(error,
                    "the terminal '%s' (TERM) is unknown, so the full screen cannot "
                    "be shown; the prompt has the same commands",
                    kind);
    return refuse(kind, error);
}

/* Disable Ctrl-S, which would stop all output, and free Ctrl-V and Ctrl-O for commands.
 * read() must not block: Ctrl-C may discard input after poll() has reported it. */
static void prepare_input(void) {
    struct termios settings;
    cbreak();
    noecho();
    nonl();
    if (tcgetattr(STDIN_FILENO, &settings) == 0) {
        settings.c_iflag &= ~(tcflag_t)IXON;
        settings.c_lflag &= ~(tcflag_t)IEXTEN;
        settings.c_cc[VMIN] = settings.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
        def_prog_mode();
    }
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    idcok(stdscr, FALSE); /* shifting cells within a line breaks wide letters */
    define_key("\x1b[200~", FIRST_OWN_KEY);
    define_key("\x1b[201~", FIRST_OWN_KEY + 1);
    mousemask(ALL_MOUSE_EVENTS, NULL);
    mouseinterval(0);
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
    terminal_undo(terminal.undo); /* a signal may arrive before newterm() returns */
    set_escdelay(25);
    terminal.screen = newterm(NULL, stdout, stdin);
    if (!terminal.screen) {
        release();
        return refuse(kind, error);
    }
    prepare_input();
    const char *none = getenv("NO_COLOR");
    terminal.colors = COLORS_NONE;
    terminal.pairs = 0;
    if (!(none && *none) && has_colors()) {
        start_color();
        use_default_colors();
        if (tigetflag("RGB") > 0) /* direct colors: red, green and blue */
            terminal.colors = COLORS_TRUE;
        else if (COLORS >= 256)
            terminal.colors = COLORS_256;
    }
    terminal_keep(); /* reset signal handlers that libraries changed */
    terminal_hush_errors();
    send(begin_pastes);
    terminal.size = (TerminalSize){0};
    follow_size();
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

int curses_rows(void) {
    return terminal.size.rows;
}

int curses_columns(void) {
    return terminal.size.columns;
}

Colors curses_colors(void) {
    return terminal.colors;
}

void curses_clear(void) {
    erase();
}

/* Return the pair of these colors. If all pairs are in use, start again. */
static int pair_of(int ink, int paper) {
    if (ink == LOOK_DEFAULT && paper == LOOK_DEFAULT) return 0;
    for (int p = 0; p < terminal.pairs; p++)
        if (terminal.pair[p].ink == ink && terminal.pair[p].paper == paper)
            return p + 1;
    if (terminal.pairs == PAIRS) terminal.pairs = 0;
    int pair = terminal.pairs++;
    terminal.pair[pair].ink = ink;
    terminal.pair[pair].paper = paper;
    init_extended_pair(pair + 1, ink, paper);
    return pair + 1;
}

/* Write one letter with as many combining characters as fit into a cell of ncurses. */
static void write_letter(int row, int column, const char *letter, int length,
                         const Look *look) {
    enum { LETTERS = 5 };
    wchar_t wide[LETTERS + 1] = {0};
    int used = 0;
    for (int at = 0; at < length && used < LETTERS;) {
        int bytes;
        int code = unicode_decode(letter + at, (size_t)(length - at), &bytes);
        bool joins = used > 0 && wcwidth((wchar_t)code) == 0;
        if (used == 0 || joins) wide[used++] = (wchar_t)code;
        at += bytes;
    }
    if (wcwidth(wide[0]) < 1) wmemcpy(wide, L"\u25A1", 2);
    int pair = pair_of(look->ink, look->paper);
    cchar_t cell;
    attr_t attributes = (look->bold ? A_BOLD : 0) | (look->faint ? A_DIM : 0) |
                        (look->turned ? A_REVERSE : 0) |
                        (look->underlined ? A_UNDERLINE : 0);
    setcchar(&cell, wide, attributes, 0, &pair);
    mvadd_wch(row, column, &cell);
}

int curses_write(int row, int column, int width, const char *line, int length,
                 Look look) {
    const char *end = line + length;
    int used = 0;
    while (line < end && used < width) {
        int bytes = unicode_grapheme(line);
        char one[64];
        if (bytes <= 0 || bytes >= (int)sizeof one) break;
        memcpy(one, line, (size_t)bytes);
        one[bytes] = '\0';
        int cells = unicode_width(one);
        if (used + cells > width) break;
        if (cells > 0) write_letter(row, column + used, one, bytes, &look);
        used += cells;
        line += bytes;
    }
    return used;
}

/* Toggle attributes of cells. */
static void toggle(int row, int column, int width, attr_t change) {
    for (int c = column; c < column + width;) {
        cchar_t cell;
        wchar_t wide[CCHARW_MAX + 1] = {0};
        attr_t attributes;
        short unused;
        int pair = 0;
        if (mvin_wch(row, c, &cell) == ERR ||
            getcchar(&cell, wide, &attributes, &unused, &pair) == ERR)
            return;
        setcchar(&cell, wide, attributes ^ change, 0, &pair);
        mvadd_wch(row, c, &cell);
        c += wcwidth(wide[0]) > 1 ? 2 : 1;
    }
}

void curses_turn(int row, int column, int width) {
    toggle(row, column, width, A_REVERSE);
}

void curses_underline(int row, int column, int width) {
    toggle(row, column, width, A_UNDERLINE);
}

void curses_show(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0) move(row, column);
    refresh();
}

static const struct {
    int curses, key;
} special_keys[] = {
    {KEY_UP, KEY_ARROW_UP},
    {KEY_DOWN, KEY_ARROW_DOWN},
    {KEY_LEFT, KEY_ARROW_LEFT},
    {KEY_RIGHT, KEY_ARROW_RIGHT},
    {KEY_PPAGE, KEY_PAGE_UP},
    {KEY_NPAGE, KEY_PAGE_DOWN},
    {KEY_HOME, KEY_LINE_START},
    {KEY_END, KEY_LINE_END},
    {KEY_BACKSPACE, KEY_ERASE},
    {KEY_DC, KEY_REMOVE},
    {KEY_BTAB, KEY_BACK_TAB},
    {KEY_ENTER, '\r'},
    {FIRST_OWN_KEY, KEY_PASTE},
    {FIRST_OWN_KEY + 1, KEY_PASTED},
    {'\n', '\r'},
    {127, KEY_ERASE},
    {8, KEY_ERASE},
};

/* Read the rest of a UTF-8 letter. get_wch() loses the first bytes if the rest is late.
 */
static int letter_of(int first) {
    enum { MILLISECONDS = 100 };
    char bytes[4] = {(char)first};
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    int count = 1;
    timeout(MILLISECONDS);
    while (count < length) {
        int next = getch();
        bool goes_on = next >= 0x80 && next < 0xc0;
        if (!goes_on && next != ERR) ungetch(next);
        if (!goes_on) break;
        bytes[count++] = (char)next;
    }
    timeout(0);
    return unicode_decode(bytes, (size_t)count, &count);
}

/* Return an event that is already available. */
static Event event_now(void) {
    if (interrupt_signal()) return (Event){.kind = EVENT_SIGNAL};
    if (terminal_went_on()) { /* another program used the terminal: redraw */
        endwin();
        refresh();
        send(begin_pastes);
    }
    if (follow_size()) return (Event){.kind = EVENT_RESIZE};
    int code = getch();
    while (code == KEY_RESIZE) code = getch(); /* follow_size() handles it */
    if (code == ERR) return (Event){0};
    MEVENT mouse;
    if (code == KEY_MOUSE && getmouse(&mouse) == OK) {
        Event event = {.row = mouse.y, .column = mouse.x};
        if (mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
            event.kind = EVENT_CLICK;
        if (mouse.bstate & BUTTON4_PRESSED) event.kind = EVENT_WHEEL, event.turn = -1;
        if (mouse.bstate & BUTTON5_PRESSED) event.kind = EVENT_WHEEL, event.turn = 1;
        return event;
    }
    Event event = {.kind = EVENT_KEY, .key = code >= KEY_MIN ? KEY_OTHER : code};
    if (code >= 0x80 && code < KEY_MIN) event.key = letter_of(code);
    for (size_t k = 0; k < sizeof special_keys / sizeof *special_keys; k++)
        if (special_keys[k].curses == code) event.key = special_keys[k].key;
    return event;
}

Event curses_wait(int milliseconds) {
    /* Delay of a signal or resize that arrives just before poll(). */
    enum { SLICE = 100 };
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (int left = milliseconds;; left -= SLICE) {
        Event event = event_now();
        if (event.kind || (milliseconds >= 0 && left <= 0)) return event;
        if (poll(&input, 1, milliseconds >= 0 && left < SLICE ? left : SLICE) > 0 &&
            (input.revents & (POLLHUP | POLLERR)))
            return (Event){.kind = EVENT_END};
        if (milliseconds < 0) left = milliseconds;
    }
}
