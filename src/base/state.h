/* state.h - where the program keeps what it remembers from one session to the next. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Where $XDG_STATE_HOME says, or else in ~/.local/state: "glassbox", or `name` in it,
 * made if need be, in `arena`. Fails where there is no place, or it cannot be made. */
bool state_folder(const char *name, Arena *arena, const char **folder, Error *error);
