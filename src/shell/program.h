/* program.h - where the program's own files lie. */
#pragma once

#include "base/arena.h"

/* The folder "models" or "locale" that comes with the program, in `arena`: installed
 * below ../share, or beside the sources it was built from. NULL if there is none. */
const char *program_folder(const char *name, Arena *arena);
