/* program.h - the program's version, and where its own files lie. */
#pragma once

#include "base/arena.h"

extern const char *const program_version;

/* The folder "models" or "locale" that comes with the program, in `arena`: installed
 * below ../share, or beside the sources it was built from. NULL if there is none. */
const char *program_folder(const char *name, Arena *arena);

/* A path as a figure says it, in `arena`: what comes with the program without the
 * folder where it lies on this machine. */
const char *program_path(const char *path, Arena *arena);
