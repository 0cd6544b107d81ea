#include "shell/line_care.h"

#include <stdio.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

/* Functions that crash. */
static rl_command_func_t *const bad[] = {
    /* It leaves for a place that is left already, in a key that is read twice. */
    rl_abort,
    /* It reads beyond shorter lines. */
    rl_forward_search_history,
    /* A line that ends in the middle of a macro frees it as it is read. */
    rl_start_kbd_macro,
    rl_end_kbd_macro,
    rl_call_last_kbd_macro,
    /* It calls itself without end where it is the motion of what it repeats. */
    rl_vi_redo,
    /* They lose what can be taken back of the line that they leave. */
    rl_vi_search,
    rl_vi_search_again,
};
enum { BAD = sizeof bad / sizeof *bad };

static int ring(int count, int key) {
    (void)count;
    (void)key;
    return rl_ding();
}

static bool is_bad(rl_command_func_t *function) {
    for (int b = 0; b < BAD; b++)
        if (function == bad[b]) return true;
    return false;
}

/* ISO C converts no function to a map, as readline keeps it. */
static Keymap map_behind(const KEYMAP_ENTRY *entry) {
    Keymap map;
    memcpy(&map, &entry->function, sizeof entry->function);
    return map;
}

/* A key map, and those that its keys lead to. For a key without a function readline
 * aborts, but where its beginning has one, which is then called. */
static void care_for(Keymap map) {
    bool falls_back = map[ANYOTHERKEY].function != NULL;
    for (int key = 0; key < ANYOTHERKEY; key++) {
        KEYMAP_ENTRY *entry = &map[key];
        rl_command_func_t *function = entry->function;
        if (entry->type == ISKMAP)
            care_for(map_behind(entry));
        else if (entry->type == ISFUNC && (function ? is_bad(function) : !falls_back))
            entry->function = ring;
    }
}

void line_care_keys(void) {
    care_for(emacs_standard_keymap);
    care_for(vi_insertion_keymap);
    care_for(vi_movement_keymap);
}

int line_care_no_key(bool in_paste, int *given) {
    enum { MARK = sizeof END_OF_PASTE - 1, MOST = 200 * MARK };
    bool searches = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
    bool may_paste = RL_ISSTATE(RL_STATE_MOREINPUT) && !searches;
    if ((!in_paste && !may_paste) || *given == MOST) return EOF;
    return END_OF_PASTE[(*given)++ % MARK];
}

void line_care_give_up(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_callback_handler_remove();
}

/* readline keeps a line that was left for another of the history, and rings the bell
 * where it has none. */
static void forget_line_left(void) {
    const char *bell = rl_variable_value("bell-style");
    rl_variable_bind("bell-style", "none");
    rl_maybe_unsave_line();
    rl_variable_bind("bell-style", bell);
}

void line_care_history(void) {
    forget_line_left();
    rl_undo_list = NULL;
    HIST_ENTRY **entries = history_list();
    for (int e = 0; entries && entries[e]; e++) entries[e]->data = NULL;
    using_history();
}
