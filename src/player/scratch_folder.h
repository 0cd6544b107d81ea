/* scratch_folder.h - a folder for files that nobody keeps. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

/* A new folder in $TMPDIR or /tmp, in `arena`; NULL where none can be made. Until it is
 * removed, signals that would end the program are noted: see interrupt_guard(). */
const char *scratch_folder_make(Arena *arena, Error *error);

/* Remove it with all that stands in it. */
void scratch_folder_remove(const char *folder);
