/* program.h - the program's version and the location of its files. */
#pragma once

#include "base/arena.h"

extern const char *const program_version;

/* Return the folder "models" or "locale" of the program, in `arena`: in ../share if
 * installed, else next to the sources it was built from. NULL if there is none. */
const char *program_folder(const char *name, Arena *arena);

/* Return the path to print in a figure, in `arena`: for the program's own files without
 * the folder on this machine. */
const char *program_path(const char *path, Arena *arena);
