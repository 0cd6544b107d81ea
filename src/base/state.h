/* state.h - where the program keeps what it remembers from one session to the next. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* What the variable of the XDG base directory specification says ("XDG_DATA_HOME"), or
 * else `otherwise` in the person's home; NULL where there is neither. In `arena`. */
const char *state_base(const char *variable, const char *otherwise, Arena *arena);

/* Where $XDG_STATE_HOME says, or else in ~/.local/state: "glassbox", or `name` in it,
 * made if need be, in `arena`. Fails where there is no place, or it cannot be made. */
bool state_folder(const char *name, Arena *arena, const char **folder, Error *error);
