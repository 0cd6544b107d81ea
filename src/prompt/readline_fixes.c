#include "prompt/readline_fixes.h"

#include <stdio.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

static int ring(int count, int key) {
    (void)count;
    (void)key;
    return rl_ding();
}

/* Of vi's d, c and y: behind the count of a motion, as in d3w, readline at the prompt
 * takes any key for one, such as change the line or leave it, and then cuts the line
 * where it ended before. */
static int operate(rl_command_func_t *operator, int count, int key) {
    static const char motions[] = "hl$fFtT;,%wbeWBE|`^ ";
    enum { MOST = 1000 };
    int repeats = 0;
    if (RL_ISSTATE(RL_STATE_CALLBACK) || strchr("DCY", key))
        return operator(count, key);
    int motion = rl_read_key();
    for (; motion >= (repeats ? '0' : '1') && motion <= '9'; motion = rl_read_key())
        if (repeats < MOST) repeats = 10 * repeats + motion - '0';
    if (motion <= 0 || (repeats && !strchr(motions, motion))) return rl_ding();
    if (repeats) rl_numeric_arg *= repeats;
    rl_execute_next(motion);
    return operator(count, key);
}

static int delete_to(int count, int key) {
    return operate(rl_vi_delete_to, count, key);
}

static int change_to(int count, int key) {
    return operate(rl_vi_change_to, count, key);
}

static int yank_to(int count, int key) {
    return operate(rl_vi_yank_to, count, key);
}

/* Functions that crash, and their replacements. */
static const struct {
    rl_command_func_t *bad, *instead;
} replaced[] = {
    /* It leaves for a place that is left already, in a key that is read twice. */
    {rl_abort, ring},
    /* It reads beyond shorter lines. */
    {rl_forward_search_history, ring},
    /* A line that ends in the middle of a macro frees it as it is read. */
    {rl_start_kbd_macro, ring},
    {rl_end_kbd_macro, ring},
    {rl_call_last_kbd_macro, ring},
    /* It calls itself without end where it is the motion of what it repeats. */
    {rl_vi_redo, ring},
    /* They lose what can be taken back of the line that they leave. */
    {rl_vi_search, ring},
    {rl_vi_search_again, ring},
    {rl_vi_delete_to, delete_to},
    {rl_vi_change_to, change_to},
    {rl_vi_yank_to, yank_to},
};

/* A key map, and those that its keys lead to. For a key without a function readline
 * aborts, but where its beginning has one, which is then called. */
static void fix_keymap(Keymap map) {
    bool falls_back = map[ANYOTHERKEY].function != NULL;
    for (int key = 0; key < ANYOTHERKEY; key++) {
        KEYMAP_ENTRY *entry = &map[key];
        if (entry->type == ISKMAP) {
            Keymap behind; /* ISO C converts no function to a map */
            memcpy(&behind, &entry->function, sizeof entry->function);
            fix_keymap(behind);
        } else if (entry->type == ISFUNC && !entry->function && !falls_back) {
            entry->function = ring;
        }
        for (size_t r = 0; r < sizeof replaced / sizeof *replaced; r++)
            if (entry->type == ISFUNC && entry->function == replaced[r].bad) {
                entry->function = replaced[r].instead;
                break;
            }
    }
}

void readline_fix_keys(void) {
    fix_keymap(emacs_standard_keymap);
    fix_keymap(vi_insertion_keymap);
    fix_keymap(vi_movement_keymap);
}

int readline_byte_at_end(bool in_paste, int *given) {
    enum { MARK = sizeof END_OF_PASTE - 1, MOST = 200 * MARK };
    bool searches = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
    bool may_paste = RL_ISSTATE(RL_STATE_MOREINPUT) && !searches;
    if ((!in_paste && !may_paste) || *given == MOST) return EOF;
    return END_OF_PASTE[(*given)++ % MARK];
}

void readline_give_up(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_callback_handler_remove();
}

/* Where Enter follows a number, as in Alt-3 Enter, readline ends the line only with the
 * next key; if that begins a search, the search goes on in the next line. */
void readline_read_key(void (*take)(char *line)) {
    rl_callback_read_char();
    if (!rl_done || !RL_ISSTATE(RL_STATE_CALLBACK)) return;
    char *line = strdup(rl_line_buffer);
    readline_give_up();
    take(line);
}

void readline_fix_history(void) {
    /* readline keeps a line that was left for another of the history, and rings the
     * bell where it has none. */
    const char *bell = rl_variable_value("bell-style");
    rl_variable_bind("bell-style", "none");
    rl_maybe_unsave_line();
    rl_variable_bind("bell-style", bell);
    rl_undo_list = NULL;
    HIST_ENTRY **entries = history_list();
    for (int e = 0; entries && entries[e]; e++) entries[e]->data = NULL;
    using_history();
}
