/* keys.h - what the keys of the screen do: a table that also makes the help. */
#pragma once

#include "screen/state.h"

enum { KEYS_ALIKE = 3 };

typedef struct {
    int key[KEYS_ALIKE]; /* that do the same; 0: no more */
    const char *shown;   /* "n" */
    const char *summary; /* what it does, for the help */
    void (*press)(Screen *screen);
    bool while_running; /* also while a command runs: it asks the session nothing */
} KeyRow;

/* Ends with a row that has no keys. */
extern const KeyRow key_rows[];

/* The row of a key, or NULL. */
const KeyRow *keys_row(int key);

/* Let a line be typed that begins so, and run it; `pastes`: a paste has begun. */
void keys_edit(Screen *screen, const char *begin, bool pastes);

/* The text in the pane at the right: the explanation, or the story. */
Scroll *keys_scroll(Screen *screen);
