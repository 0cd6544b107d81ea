#include "player/scratch_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"

const char *scratch_folder_make(Arena *arena, Error *error) {
    const char *place = getenv("TMPDIR");
    if (!place || place[0] != '/') place = "/tmp";
    const char *folder = file_join(arena, place, "glassbox-XXXXXX");
    char *made = arena_copy(arena, folder, strlen(folder));
    interrupt_guard(true);
    if (mkdtemp(made)) return made;
    interrupt_guard(false);
    fail(error, "cannot make a folder in %s: %s", place, error_reason(errno));
    return NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void scratch_folder_remove(const char *folder) {
    enum { OPEN_MOST = 8 };
    nftw(folder, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    interrupt_guard(false);
}
