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

/* Functions that crash, and their replacements. */
static const struct {
    rl_command_func_t *bad, *instead;
} replaced[] = {
    /* After a key that is read twice, it jumps to a context that has ended. */
    {rl_abort, ring},
    /* It reads beyond the end of shorter lines. */
    {rl_forward_search_history, ring},
    /* If a line ends during a macro, the macro is freed while it is being read. */
    {rl_start_kbd_macro, ring},
    {rl_end_kbd_macro, ring},
    {rl_call_last_kbd_macro, ring},
    /* Its commands have too many crashes to work around. */
    {rl_vi_editing_mode, ring},
};

/* Fix a key map and those that its keys lead to. readline aborts on a key without a
 * function, unless a prefix of the key sequence has one, which it calls instead. */
static void fix_keymap(Keymap map) {
    bool falls_back = map[ANYOTHERKEY].function != NULL;
    for (int key = 0; key < ANYOTHERKEY; key++) {
        KEYMAP_ENTRY *entry = &map[key];
        if (entry->type == ISKMAP) {
            Keymap after; /* ISO C has no cast from a function to a map */
            memcpy(&after, &entry->function, sizeof entry->function);
            fix_keymap(after);
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
    rl_variable_bind("editing-mode", "emacs");
    fix_keymap(emacs_standard_keymap);
}

int readline_byte_at_end(bool in_paste, int *given) {
    enum { MARK = sizeof END_OF_PASTE - 1, GIVEN_MAX = 200 * MARK };
    bool searches = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
    bool may_paste = RL_ISSTATE(RL_STATE_MOREINPUT) && !searches;
    if ((!in_paste && !may_paste) || *given == GIVEN_MAX) return EOF;
    return END_OF_PASTE[(*given)++ % MARK];
}

void readline_give_up(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_callback_handler_remove();
}

/* If Enter follows a number, as in Alt-3 Enter, readline ends the line only after the
 * next key; a search that starts with that key continues in the next line. */
void readline_read_key(void (*take)(char *line)) {
    rl_callback_read_char();
    if (!rl_done || !RL_ISSTATE(RL_STATE_CALLBACK)) return;
    char *line = strdup(rl_line_buffer);
    readline_give_up();
    take(line);
}

void readline_fix_history(void) {
    /* Drop the line that was left for another one in the history; without such a line,
     * readline rings the bell. */
    const char *bell = rl_variable_value("bell-style");
    rl_variable_bind("bell-style", "none");
    rl_maybe_unsave_line();
    rl_variable_bind("bell-style", bell);
    rl_undo_list = NULL;
    HIST_ENTRY **entries = history_list();
    for (int e = 0; entries && entries[e]; e++) entries[e]->data = NULL;
    using_history();
}
