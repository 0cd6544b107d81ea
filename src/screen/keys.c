#include "screen/keys.h"
#include "screen/entry.h"

#include "base/language.h"
#include "canvas/palette.h"
#include "player/line.h"
#include "prompt/line_edit.h"

enum { PAGE = 8, CONTROL_D = 4 };

Scroll *keys_scroll(Screen *screen) {
    return screen->shows_why ? &screen->why : &screen->story;
}

/* In the pane that has the focus: through the stops, the cells, or the text. */
static void go(Screen *screen, int rows, int columns) {
    if (screen->focus == PANE_MAP && rows)
        ask_line(screen, rows > 0 ? ":next" : ":back");
    else if (screen->focus == PANE_WHY && screen->shows_why &&
             (rows == 1 || rows == -1))
        why_choose(screen, rows);
    else if (screen->focus == PANE_WHY)
        keys_scroll(screen)->top += rows;
    else
        view_move(screen, rows, columns);
}

static void press_up(Screen *screen) {
    go(screen, -1, 0);
}
static void press_down(Screen *screen) {
    go(screen, 1, 0);
}
static void press_left(Screen *screen) {
    go(screen, 0, -1);
}
static void press_right(Screen *screen) {
    go(screen, 0, 1);
}
static void press_page_up(Screen *screen) {
    go(screen, -PAGE, 0);
}
static void press_page_down(Screen *screen) {
    go(screen, PAGE, 0);
}
static void press_start(Screen *screen) {
    go(screen, 0, -(1 << 28));
}
static void press_end(Screen *screen) {
    go(screen, 0, 1 << 28);
}
static void press_head_before(Screen *screen) {
    view_turn_axis(screen, -1);
}
static void press_head_after(Screen *screen) {
    view_turn_axis(screen, 1);
}
static void press_layer_before(Screen *screen) {
    view_turn_layer(screen, -1);
}
static void press_layer_after(Screen *screen) {
    view_turn_layer(screen, 1);
}
static void press_next(Screen *screen) {
    ask_line(screen, ":next");
}
static void press_back(Screen *screen) {
    ask_line(screen, ":back");
}
static void press_more(Screen *screen) {
    ask_line(screen, ":more");
}
static void press_less(Screen *screen) {
    ask_line(screen, ":less");
}
static void press_undo(Screen *screen) {
    ask_line(screen, ":undo");
}
static void press_up_again(Screen *screen) {
    ask_up(screen);
}
static void press_quit(Screen *screen) {
    screen->leaves = true;
}
static void press_play(Screen *screen) {
    screen->plays = !screen->plays;
}

static void turn_focus(Screen *screen, int step) {
    do screen->focus = (PaneKind)(((int)screen->focus + step + PANE_TEXT) % PANE_TEXT);
    while (!screen->is_single && !has_area(&screen->area[screen->focus]));
}

static void press_tab(Screen *screen) {
    turn_focus(screen, 1);
}
static void press_tab_back(Screen *screen) {
    turn_focus(screen, -1);
}

/* Into the explanation, where Enter follows its lines. */
static void enter_why(Screen *screen) {
    screen->focus = PANE_WHY;
    why_choose(screen, 1);
}

/* Enter goes on where the keys go to. */
static void press_enter(Screen *screen) {
    const Session *session = screen->session;
    bool reads = session->player.is_open || session->run->walks_back;
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

static void press_wide(Screen *screen) {
    ask_wide(screen);
}

static void press_table(Screen *screen) {
    screen->tensor.is_table = !screen->tensor.is_table;
}

/* The next palette, all of them in turn. */
static void press_palette(Screen *screen) {
    Display *options = &screen->session->options;
    options->palette = (options->palette + 1) % (palette_count + 1);
    screen->tensor.is_scaled = false;
    screen_say(screen, options->palette ? palettes[options->palette - 1].name : "auto");
}

/* A line that has lost the command it began with is one all the same. */
static void edit(Screen *screen, const char *begin, bool pastes, const char *wants) {
    Arena arena = {0};
    Session *session = screen->session;
    const char *line = entry_read(screen, line_prompt(session), begin, pastes, &arena);
    if (line && *line) {
        if (wants && *line != ':') line = arena_print(&arena, "%s%s", wants, line);
        if (history_add(&session->history, line)) line_edit_remember(line);
        ask_line(screen, line);
    }
    arena_free(&arena);
}

void keys_edit(Screen *screen, const char *begin, bool pastes) {
    edit(screen, begin, pastes, NULL);
}

static void press_command(Screen *screen) {
    keys_edit(screen, ":", false);
}
static void press_sentence(Screen *screen) {
    keys_edit(screen, "", false);
}

static void press_find(Screen *screen) {
    edit(screen, ":heat ", false, ":heat ");
}

static void press_draw(Screen *screen) {
    Arena arena = {0};
    if (view_tensor(screen))
        keys_edit(screen,
                  arena_print(&arena, ":draw %s -o %s", view_address(screen, &arena),
                              "figure.png"),
                  false);
    arena_free(&arena);
}

static void press_help(Screen *screen) {
    keys_help(screen);
}

const KeyRow key_rows[] = {
    {{'n'}, "n", N_("the next stage of the walk"), press_next, false},
    {{'p', 'b'}, "p", N_("the stage before"), press_back, false},
    {{'+', '='}, "+", N_("finer steps: boxes, steps, numbers"), press_more, false},
    {{'-'}, "-", N_("coarser steps"), press_less, false},
    {{'\t'}, "Tab", N_("the next pane"), press_tab, false},
    {{KEY_BACK_TAB}, "Shift-Tab", N_("the pane before"), press_tab_back, false},
    {{KEY_ARROW_UP, 'k'}, "↑ k", N_("up: a row, a stage, a line"), press_up, true},
    {{KEY_ARROW_DOWN, 'j'}, "↓ j", N_("down"), press_down, true},
    {{KEY_ARROW_LEFT, 'h'}, "← h", N_("left: a column"), press_left, true},
    {{KEY_ARROW_RIGHT, 'l'}, "→ l", N_("right"), press_right, true},
    {{KEY_PAGE_UP}, "PgUp", N_("up by eight rows"), press_page_up, true},
    {{KEY_PAGE_DOWN}, "PgDn", N_("down by eight rows"), press_page_down, true},
    {{KEY_LINE_START}, "Home", N_("the first column"), press_start, true},
    {{KEY_LINE_END}, "End", N_("the last column"), press_end, true},
    {{'['}, "[", N_("the head before"), press_head_before, true},
    {{']'}, "]", N_("the next head"), press_head_after, true},
    {{'{'}, "{", N_("the same in the layer before"), press_layer_before, false},
    {{'}'}, "}", N_("the same in the next layer"), press_layer_after, false},
    {{'\r'},
     "Enter",
     N_("why: take the number apart; there, follow a line"),
     press_enter,
     false},
    {{KEY_ERASE},
     "Backspace",
     N_("back to the number it was followed from"),
     press_up_again,
     false},
    {{'w'}, "w", N_("the story of the stage, or the number's why"), press_story, false},
    {{'v'}, "v", N_("what was said last, on the whole screen"), press_wide, false},
    {{KEY_ESCAPE},
     "Esc",
     N_("back to the numbers, then to the story"),
     press_escape,
     false},
    {{'t'}, "t", N_("a table of numbers, or colours"), press_table, true},
    {{'c'}, "c", N_("other colours"), press_palette, true},
    {{'i'}, "i", N_("type a sentence"), press_sentence, false},
    {{':'}, ":", N_("type a command"), press_command, false},
    {{'/'}, "/", N_("find a tensor by its address; Tab completes"), press_find, false},
    {{'e'}, "e", N_("draw what is looked at into a file"), press_draw, false},
    {{'u'}, "u", N_("undo the last change"), press_undo, false},
    {{' '}, "Space", N_("walk on by itself; again: stop"), press_play, false},
    {{'?'}, "?", N_("this list"), press_help, false},
    {{'q', CONTROL_D}, "q Ctrl-D", N_("leave the screen"), press_quit, false},
    {{0}, NULL, NULL, NULL, false},
};

const KeyRow *keys_row(int key) {
    for (const KeyRow *row = key_rows; row->press; row++)
        for (int k = 0; k < KEYS_ALIKE; k++)
            if (row->key[k] && row->key[k] == key) return row;
    return NULL;
}

void keys_help(Screen *screen) {
    Session *session = screen->session;
    int count = 0;
    session_clear(session);
    while (key_rows[count].press) count++;
    ListItem *item = ARENA_ARRAY(&session->scratch, ListItem, count + 1);
    for (int k = 0; k < count; k++)
        item[k] =
            (ListItem){.name = key_rows[k].shown, .text = said(key_rows[k].summary)};
    page_list(&session->page, LIST_KEYS, item, count);
    page_gap(&session->page);
    page_prose(
        &session->page,
        N_("The mouse chooses a cell or a box of the map, and its wheel scrolls. "
           "Every command of the prompt works here behind a colon; :help lists "
           "them."));
    ask_wide(screen);
}
