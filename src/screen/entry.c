#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/interrupt.h"
#include "player/line.h"
#include "prompt/dispatch.h"
#include "prompt/readline_fixes.h"
#include "screen/state.h"
#include "text/unicode.h"

enum { MATCH_ROWS = 6, BYTES_MAX = LINE_BYTES_MAX + 4 }; /* longer: rejected later */

/* Global, because the callbacks of readline have no argument for it. */
static struct {
    Arena arena;
    char byte[8]; /* not yet read by readline */
    int count, next;
    int ends_given; /* bytes of the end of a paste */
    bool is_done;
    char *line; /* NULL: canceled */
    const char *matches;
} entry;

static int next_byte(FILE *unused) {
    (void)unused;
    if (entry.next == entry.count)
        return readline_byte_at_end(false, &entry.ends_given);
    return (unsigned char)entry.byte[entry.next++];
}

static int has_byte(void) {
    return entry.next < entry.count;
}

static void take_line(char *line) {
    entry.is_done = true;
    entry.line = line;
    rl_callback_handler_remove();
}

/* The screen draws the line itself. */
static void draw_nothing(void) {}

static void keep_matches(char **match, int count, int longest) {
    const char *text = "";
    (void)longest;
    for (int m = 1; m <= count; m++)
        text = arena_print(&entry.arena, "%s%s%s", text, m > 1 ? "  " : "",
                           unicode_escape(match[m], strlen(match[m]), &entry.arena));
    entry.matches = text;
}

/* The bytes that a terminal sends for a key. */
static const struct {
    int key;
    const char *bytes;
} sent[] = {
    {KEY_ARROW_UP, "\x1b[A"},   {KEY_ARROW_DOWN, "\x1b[B"}, {KEY_ARROW_RIGHT, "\x1b[C"},
    {KEY_ARROW_LEFT, "\x1b[D"}, {KEY_LINE_START, "\x1b[H"}, {KEY_LINE_END, "\x1b[F"},
    {KEY_REMOVE, "\x1b[3~"},    {KEY_ERASE, "\x7f"},
};

static int encode(int code, char bytes[8]) {
    for (size_t s = 0; s < sizeof sent / sizeof *sent; s++)
        if (sent[s].key == code) return (int)(stpcpy(bytes, sent[s].bytes) - bytes);
    if (code >= KEY_OTHER) return 0;
    return unicode_encode(code, bytes);
}

static void feed(int code) {
    entry.count = encode(code, entry.byte);
    entry.next = 0;
    while (entry.next < entry.count && !entry.is_done) readline_read_key(take_line);
}

/* Insert a pasted character; line ends become spaces. */
static void paste(int code) {
    char bytes[8] = " ";
    int count = 1;
    if (code != '\r' && code != '\n' && code != '\t') count = encode(code, bytes);
    bytes[count] = '\0';
    if (code < KEY_OTHER && rl_end < BYTES_MAX) rl_insert_text(bytes);
}

static void draw_matches(Screen *screen) {
    const char *rest = entry.matches;
    Area area = {0, 0, curses_rows(), curses_columns()};
    if (!rest || !*rest) return;
    int width = area.columns;
    int rows = unicode_width(rest) / width + 1;
    if (rows > MATCH_ROWS) rows = MATCH_ROWS;
    for (int row = 0; row < rows && *rest; row++) {
        const char *line = unicode_cut(rest, width, &screen->picture);
        size_t length = strlen(line);
        if (row + 1 < rows && strcmp(line, rest) != 0) {
            while (length && line[length - 1] != ' ') length--;
            line = arena_copy(&screen->picture, line, length);
        }
        draw_line(&area, area.rows - 1 - rows + row,
                  unicode_pad("", width, false, &screen->picture));
        draw_line(&area, area.rows - 1 - rows + row, line);
        rest += length;
    }
}

/* Draw the line so that the cursor is visible. Return the column of the cursor. */
static int draw_entry(Screen *screen, const char *prompt) {
    Arena *arena = &screen->picture;
    Area last = {curses_rows() - 1, 0, 1, curses_columns()};
    if (*rl_display_prompt) /* during a search in the history */
        prompt = unicode_escape(rl_display_prompt, strlen(rl_display_prompt), arena);
    int room = last.columns - unicode_width(prompt) - 1;
    const char *before = unicode_escape(rl_line_buffer, (size_t)rl_point, arena);
    const char *after =
        unicode_escape(rl_line_buffer + rl_point, (size_t)(rl_end - rl_point), arena);
    /* Of a long line the end before the cursor. */
    for (int over = unicode_width(before) - room; over > 0 && *before;) {
        int bytes = unicode_grapheme(before);
        over -= unicode_width(arena_copy(arena, before, (size_t)bytes));
        before += bytes;
    }
    draw_line(&last, 0, unicode_pad("", last.columns, false, arena));
    draw_line(&last, 0, arena_print(arena, "%s%s%s", prompt, before, after));
    return unicode_width(prompt) + unicode_width(before);
}

/* The settings of readline at the prompt. */
typedef struct {
    rl_getc_func_t *getc;
    rl_voidfunc_t *redisplay, *deprep;
    rl_vintfunc_t *prep;
    rl_hook_func_t *startup;
    int catches;
} Usual;

static void end(const Usual *usual) {
    if (!entry.is_done) readline_give_up();
    readline_fix_history();
    rl_getc_function = usual->getc;
    rl_input_available_hook = NULL;
    rl_redisplay_function = usual->redisplay;
    rl_deprep_term_function = usual->deprep;
    rl_prep_term_function = usual->prep;
    rl_outstream = stdout;
    rl_startup_hook = usual->startup;
    rl_catch_signals = usual->catches;
    rl_completion_display_matches_hook = NULL;
    rl_completion_query_items = 100;
}

static bool take(const Event *event, bool *pastes) {
    if (event->kind == EVENT_SIGNAL || event->kind == EVENT_END) return false;
    if (event->kind != EVENT_KEY) return true;
    if (event->key == KEY_PASTE || event->key == KEY_PASTED) {
        *pastes = event->key == KEY_PASTE;
        return true;
    }
    if (event->key == KEY_ESCAPE && !*pastes && rl_editing_mode == 1) {
        /* Cancel the line. If a key follows at once, treat it as Alt with that key. */
        Event next = curses_wait(0);
        if (next.kind != EVENT_KEY || next.key >= KEY_OTHER) return false;
        feed(KEY_ESCAPE);
        feed(next.key);
        return !entry.is_done;
    }
    if (event->key != '\t') entry.matches = NULL;
    if (*pastes)
        paste(event->key);
    else
        feed(event->key);
    return !entry.is_done;
}

const char *entry_read(Screen *screen, const char *prompt, const char *begin_text,
                       bool pastes, Arena *arena) {
    const char *line = NULL;
    Usual usual = {rl_getc_function,        rl_redisplay_function,
                   rl_deprep_term_function, rl_prep_term_function,
                   rl_startup_hook,         rl_catch_signals};
    entry.is_done = false;
    entry.ends_given = 0;
    entry.line = NULL;
    entry.matches = NULL;
    rl_getc_function = next_byte;
    rl_input_available_hook = has_byte;
    rl_redisplay_function = draw_nothing;
    rl_outstream = stderr; /* silenced: readline would write line ends */
    rl_prep_term_function = NULL;
    rl_deprep_term_function = NULL;
    rl_startup_hook = NULL;
    rl_catch_signals = 0;
    rl_completion_display_matches_hook = keep_matches;
    rl_completion_query_items = 0;
    rl_callback_handler_install("", take_line);
    readline_fix_keys();
    rl_insert_text(begin_text);
    Event event;
    do {
        event = curses_wait(0);
        if (event.kind != EVENT_NONE) continue; /* read all input first */
        screen_draw(screen);
        draw_matches(screen);
        curses_show(curses_rows() - 1, draw_entry(screen, prompt));
        event = curses_wait(-1);
    } while (take(&event, &pastes));
    end(&usual);
    if (interrupt_signal() == SIGINT) interrupt_answer(); /* the line was canceled */
    if (entry.line) line = arena_copy(arena, entry.line, strlen(entry.line));
    rl_free(entry.line);
    arena_reset(&entry.arena);
    return line;
}
