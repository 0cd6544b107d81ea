#include "shell/line_care.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

/* Functions that crash, and how. */
static const struct {
    const char *name, *how;
} bad[] = {
    {"abort", "leaves for a place that is left already, in a key that is read twice"},
    {"forward-search-history", "reads beyond shorter lines"},
    {"start-kbd-macro",
     "a macro that has a line end, or itself, is freed as it is read"},
    {"end-kbd-macro", "as above"},
    {"call-last-kbd-macro", "as above"},
    {"vi-redo", "calls itself without end where it is the motion of what it repeats"},
    {"vi-search", "loses what can be taken back of the line it leaves"},
    {"vi-search-again", "as above"},
};
enum { BAD = sizeof bad / sizeof *bad };

static int ring(int count, int key) {
    (void)count;
    (void)key;
    return rl_ding();
}

static bool is_bad(rl_command_func_t *function) {
    for (int b = 0; b < BAD; b++)
        if (function == rl_named_function(bad[b].name)) return true;
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

void line_care_history(void) {
    rl_maybe_unsave_line();
    rl_undo_list = NULL;
    HIST_ENTRY **entries = history_list();
    for (int e = 0; entries && entries[e]; e++) entries[e]->data = NULL;
    using_history();
}
