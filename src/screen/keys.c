#include "base/language.h"
#include "canvas/palette.h"
#include "player/line.h"
#include "player/player.h"
#include "prompt/line_edit.h"
#include "screen/state.h"
#include "text/keyboard.h"
#include "text/unicode.h"

enum { PAGE = 8, FAR = 1 << 28, CONTROL_D = 4, KEYS_ALIKE = 3 };

/* A key: it types a line or calls one of two functions. The help is made from this
 * table. */
typedef struct {
    int key[KEYS_ALIKE]; /* equivalent keys; 0: no more */
    const char *shown, *summary;
    void (*turn)(Screen *screen, int step);
    int step;
    bool live; /* also during a command: does not use the session */
    void (*press)(Screen *screen);
    const char *line;
} KeyRow;

/* Return the text in the right pane: the explanation, or the story. */
static Scroll *text_at_right(Screen *screen) {
    return screen->shows_why ? &screen->why : &screen->story;
}

/* Move in the focused pane: through the stops, the cells or the text. */
static void move_rows(Screen *screen, int rows) {
    if (screen->focus == PANE_MAP)
        ask_line(screen, rows > 0 ? ":next" : ":back");
    else if (screen->focus == PANE_WHY && screen->shows_why &&
             (rows == 1 || rows == -1))
        why_choose(screen, rows);
    else if (screen->focus == PANE_WHY)
        text_at_right(screen)->top += rows;
    else
        view_move(screen, rows, 0);
}

static void move_columns(Screen *screen, int columns) {
    bool is_text = screen->focus == PANE_WHY;
    if (!is_text) view_move(screen, 0, columns);
}

static void turn_focus(Screen *screen, int step) {
    do screen->focus = (PaneKind)(((int)screen->focus + step + PANE_TEXT) % PANE_TEXT);
    while (!screen->is_single && !has_area(&screen->area[screen->focus]));
}

/* Move the focus into the explanation, where Enter follows its lines. */
static void enter_why(Screen *screen) {
    screen->focus = PANE_WHY;
    why_choose(screen, 1);
}

/* Enter depends on the focused pane. */
static void press_enter(Screen *screen) {
    const Session *session = screen->session;
    bool reads = session->lesson.is_open || session->run->walks_back;
    bool looks =
        screen->focus == PANE_TENSOR && view_tensor(screen) && session->run->stage >= 0;
    if (!reads && screen->focus == PANE_WHY && screen->shows_why)
        ask_follow(screen, 0);
    else if (!reads && looks && screen->shows_why && !screen->why_is_old)
        enter_why(screen);
    else if (!reads && looks)
        ask_why(screen);
    else
        ask_line(screen, "");
    if (screen->is_single && screen->shows_why && screen->focus == PANE_TENSOR)
        enter_why(screen);
}

static void press_story(Screen *screen) {
    if (screen->shows_why)
        screen->shows_why = false;
    else
        ask_why(screen);
}

static void press_escape(Screen *screen) {
    if (screen->shows_why && screen->focus == PANE_WHY)
        screen->focus = PANE_TENSOR;
    else
        screen->shows_why = false;
}

static void press_palette(Screen *screen, int step) {
    Display *options = &screen->session->options;
    options->palette = (options->palette + step) % (palette_count + 1);
    screen->tensor.is_scaled = false;
    screen_say(screen, "%s",
               options->palette ? palettes[options->palette - 1].name : "auto");
}

/* Edit a line, initially `begin`. If the result has no command, prepend `wants`. */
static void edit(Screen *screen, const char *begin, bool pastes, const char *wants) {
    Arena arena = {0};
    Session *session = screen->session;
    const char *line = entry_read(screen, line_prompt(session), begin, pastes, &arena);
    if (line && *line) {
        if (*line != ':') line = arena_print(&arena, "%s%s", wants, line);
        if (history_add(&session->input.history, line)) line_edit_remember(line);
        ask_line(screen, line);
    }
    arena_free(&arena);
}

static void press_edit(Screen *screen, int begin) {
    edit(screen,
         begin == ':'   ? ":"
         : begin == '/' ? ":heat "
                        : "",
         false, begin == '/' ? ":heat " : "");
}

static void press_draw(Screen *screen) {
    Arena arena = {0};
    if (view_tensor(screen))
        edit(screen,
             arena_print(&arena, ":draw %s -o %s", view_address(screen, &arena),
                         "figure.png"),
             false, "");
    arena_free(&arena);
}

static void press_switch(Screen *screen, int which) {
    bool *is_on = which == 't'   ? &screen->tensor.is_table
                  : which == ' ' ? &screen->plays
                                 : &screen->leaves;
    *is_on = !*is_on;
}

static void press_help(Screen *screen);

static const KeyRow key_rows[] = {
    {{'n'}, "n", N_("the next stage of the walk"), .line = ":next"},
    {{'p', 'b'}, "p", N_("the previous stage"), .line = ":back"},
    {{'+', '='}, "+", N_("finer depth: boxes, steps, numbers"), .line = ":more"},
    {{'-'}, "-", N_("coarser depth"), .line = ":less"},
    {{'\t'}, "Tab", N_("the next pane"), turn_focus, .step = 1},
    {{KEY_BACK_TAB}, "Shift-Tab", N_("the previous pane"), turn_focus, .step = -1},
    {{KEY_ARROW_UP, 'k'},
     "↑ k",
     N_("up: a row, a stage, a line"),
     move_rows,
     -1,
     .live = true},
    {{KEY_ARROW_DOWN, 'j'}, "↓ j", N_("down"), move_rows, 1, .live = true},
    {{KEY_ARROW_LEFT, 'h'},
     "← h",
     N_("left: a column"),
     move_columns,
     -1,
     .live = true},
    {{KEY_ARROW_RIGHT, 'l'}, "→ l", N_("right"), move_columns, 1, .live = true},
    {{KEY_PAGE_UP}, "PgUp", N_("up by eight rows"), move_rows, -PAGE, .live = true},
    {{KEY_PAGE_DOWN}, "PgDn", N_("down by eight rows"), move_rows, PAGE, .live = true},
    {{KEY_LINE_START},
     "Home",
     N_("the first column"),
     move_columns,
     -FAR,
     .live = true},
    {{KEY_LINE_END}, "End", N_("the last column"), move_columns, FAR, .live = true},
    {{'['}, "[", N_("the previous head"), view_turn_axis, -1, .live = true},
    {{']'}, "]", N_("the next head"), view_turn_axis, 1, .live = true},
    {{'{'}, "{", N_("the same in the previous layer"), view_turn_layer, .step = -1},
    {{'}'}, "}", N_("the same in the next layer"), view_turn_layer, .step = 1},
    {{'\r'},
     "Enter",
     N_("why: explain the number; then choose a line to follow"),
     .press = press_enter},
    {{KEY_ERASE}, "Backspace", N_("back to the previous number"), .press = ask_up},
    {{'w'},
     "w",
     N_("the text of the stage, or the explanation of the number"),
     .press = press_story},
    {{'v'}, "v", N_("the last output, on the whole screen"), .press = ask_wide},
    {{KEY_ESCAPE},
     "Esc",
     N_("back to the numbers, then to the text"),
     .press = press_escape},
    {{'t'}, "t", N_("a table of numbers, or colors"), press_switch, 't', .live = true},
    {{'c'}, "c", N_("other colors"), press_palette, 1, .live = true},
    {{'i'}, "i", N_("type a sentence"), press_edit, .step = 'i'},
    {{':'}, ":", N_("type a command"), press_edit, .step = ':'},
    {{'/'},
     "/",
     N_("find a tensor by its address; Tab completes"),
     press_edit,
     .step = '/'},
    {{'e'}, "e", N_("draw the current view into a file"), .press = press_draw},
    {{'u'}, "u", N_("undo the last change"), .line = ":undo"},
    {{' '},
     "Space",
     N_("walk on automatically; again: stop"),
     press_switch,
     .step = ' '},
    {{'?'}, "?", N_("this list"), .press = press_help},
    {{'q', CONTROL_D}, "q Ctrl-D", N_("leave the screen"), press_switch, .step = 'q'},
};
enum { KEY_ROWS = sizeof key_rows / sizeof *key_rows };

static const KeyRow *row_of(int key) {
    for (int r = 0; r < KEY_ROWS; r++)
        for (int k = 0; k < KEYS_ALIKE; k++)
            if (key && key_rows[r].key[k] == key) return &key_rows[r];
    return NULL;
}

static void press_help(Screen *screen) {
    Session *session = screen->session;
    session_clear(session);
    ListItem *item = ARENA_ARRAY(&session->scratch, ListItem, KEY_ROWS);
    for (int k = 0; k < KEY_ROWS; k++)
        item[k] =
            (ListItem){.name = key_rows[k].shown, .text = tr(key_rows[k].summary)};
    page_list(&session->page, LIST_KEYS, item, KEY_ROWS);
    page_gap(&session->page);
    page_prose(
        &session->page,
        N_("The mouse chooses a cell or a box of the map; the wheel scrolls. Every "
           "command of the prompt works here after a colon; :help lists them."));
    ask_wide(screen);
}

static PaneKind pane_at(const Screen *screen, int row, int column) {
    for (PaneKind p = 0; p < PANES; p++) {
        const Area *area = &screen->area[p];
        if (has_area(area) && row >= area->row - 1 && row < area->row + area->rows &&
            column >= area->column && column < area->column + area->columns)
            return p;
    }
    return PANES;
}

static void click(Screen *screen, const Event *event, PaneKind pane) {
    Scroll *why = &screen->why;
    if (pane < PANE_TEXT) screen->focus = pane;
    if (pane == PANE_MAP) pane_map_click(screen, event->row, event->column);
    if (pane == PANE_TENSOR) view_click(screen, event->row, event->column);
    if (pane != PANE_WHY || !screen->shows_why) return;
    why->marked = why->top + event->row - screen->area[PANE_WHY].row;
    if (why->marked >= why->lines.count) why->marked = -1;
}

static void press_idle(Screen *screen, const Event *event) {
    const KeyRow *row = event->kind == EVENT_KEY ? row_of(event->key) : NULL;
    if (row && row->live && screen->focus != PANE_MAP) row->turn(screen, row->step);
}

static void press(Screen *screen, const Event *event) {
    PaneKind pane = pane_at(screen, event->row, event->column);
    if (event->kind == EVENT_WHEEL) {
        if (screen->has_overlay)
            screen->overlay.top += 3 * event->turn;
        else if (pane == PANE_TENSOR)
            view_move(screen, 3 * event->turn, 0);
        else if (pane == PANE_WHY)
            text_at_right(screen)->top += 3 * event->turn;
    }
    if (event->kind == EVENT_CLICK && !screen->has_overlay) click(screen, event, pane);
    if (event->kind == EVENT_CLICK) screen->has_overlay = false;
    if (event->kind != EVENT_KEY) return;
    screen->message[0] = '\0';
    if (event->key != ' ') screen->plays = false;
    if (event->key == KEY_PASTE) {
        screen->has_overlay = false;
        edit(screen, "", true, "");
        return;
    }
    if (screen->has_overlay) {
        int key = event->key;
        Scroll *overlay = &screen->overlay;
        int page = curses_rows() - 2;
        if (key == KEY_ARROW_DOWN || key == 'j')
            overlay->top++;
        else if (key == KEY_ARROW_UP || key == 'k')
            overlay->top--;
        else if (key == KEY_PAGE_DOWN || key == ' ')
            overlay->top += page;
        else if (key == KEY_PAGE_UP)
            overlay->top -= page;
        else if (key == '\r' || key == 'q' || key == KEY_ESCAPE || key == ':')
            screen->has_overlay = false;
        if (event->key != ':') return;
    }
    bool is_digit = event->key >= '0' && event->key <= '9';
    if (is_digit && player_wants_answer(screen->session)) { /* start of the answer */
        edit(screen, (char[]){(char)event->key, '\0'}, false, "");
        return;
    }
    if (is_digit && event->key != '0' && screen->shows_why)
        ask_follow(screen, event->key - '0');
    const KeyRow *row = row_of(event->key);
    if (row && row->line) ask_line(screen, row->line);
    if (row && row->turn) row->turn(screen, row->step);
    if (row && row->press) row->press(screen);
}

/* A letter that was typed in Hangul mode may combine keys: "ㅞ" is n and p. */
static void press_each(Screen *screen, const Event *event,
                       void (*press_one)(Screen *screen, const Event *event)) {
    enum { HANGUL = 0x1100 };
    if (event->kind != EVENT_KEY || event->key < HANGUL || event->key >= KEY_OTHER) {
        press_one(screen, event);
        return;
    }
    Arena arena = {0};
    char letter[8] = {0};
    Event typed = *event;
    unicode_encode(event->key, letter);
    for (const char *key = keyboard_keys(letter, &arena); *key; key++) {
        typed.key = (unsigned char)*key;
        press_one(screen, &typed);
    }
    arena_free(&arena);
}

void keys_press_idle(Screen *screen, const Event *event) {
    press_each(screen, event, press_idle);
}

void keys_press(Screen *screen, const Event *event) {
    press_each(screen, event, press);
}
