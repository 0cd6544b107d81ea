#include "base/state.h"

#include <stdlib.h>

#include "base/file.h"

/* A relative folder in the variable is to be ignored. */
const char *state_base(const char *variable, const char *otherwise, Arena *arena) {
    const char *folder = getenv(variable);
    const char *home = getenv("HOME");
    if (folder && folder[0] == '/') return folder;
    return home && home[0] == '/' ? file_join(arena, home, otherwise) : NULL;
}

bool state_folder(const char *name, Arena *arena, const char **folder, Error *error) {
    const char *state = state_base("XDG_STATE_HOME", ".local/state", arena);
    if (!state)
        return fail(error, "there is no folder to remember things in: set HOME or "
                           "XDG_STATE_HOME");
    *folder = file_join(arena, state, "glassbox");
    if (name) *folder = file_join(arena, *folder, name);
    return file_make_folder(*folder, error);
}
