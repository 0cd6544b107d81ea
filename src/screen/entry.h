/* entry.h - the line that is typed on the screen, edited and completed by readline as
 * at the prompt. */
#pragma once

#include "screen/state.h"

/* Let the person edit a line that begins so; NULL where they gave it up. `pastes`: what
 * comes belongs to a paste that has begun. In `arena`. */
const char *entry_read(Screen *screen, const char *prompt, const char *begin_text,
                       bool pastes, Arena *arena);
