#include "base/state.h"

#include <stdlib.h>

#include "base/file.h"

/* The state folder of the XDG base directory specification; a relative folder there is
 * to be ignored. */
bool state_folder(const char *name, Arena *arena, const char **folder, Error *error) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    if (!state || state[0] != '/')
        state = home && home[0] == '/' ? file_join(arena, home, ".local/state") : NULL;
    if (!state)
        return fail(error, "there is no folder to remember things in: set HOME or "
                           "XDG_STATE_HOME");
    *folder = file_join(arena, state, "glassbox");
    if (name) *folder = file_join(arena, *folder, name);
    return file_make_folder(*folder, error);
}
