/* pager.h - what is longer than the screen, a screenful at a time.
 *
 * No other program is run. Only where somebody sits at both ends and has not typed
 * further already: what was typed ahead is a command and no key. */
#pragma once

#include "base/builder.h"
#include "session/session.h"
#include "window/text.h"

typedef struct {
    TextWindow *window;
    FILE *out; /* where the window wrote before */
    Arena arena;
    Builder kept; /* what it wrote since, in the arena */
} Pager;

/* Keep what is said on the page from now on. False where there is nobody to turn the
 * pages, or who does not want it; then nothing changes. */
bool pager_begin(Pager *pager, Session *session);

/* Show what was kept: at once where it fits, else with a line at the end of each
 * screenful that waits for a key. */
void pager_end(Pager *pager);
