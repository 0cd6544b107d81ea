/* memory.h - what happens when there is no memory: one sentence, and status 1.
 *
 * Nothing here can go on without memory, and neither can the libraries: readline would
 * end with a status of its own, GLib abort, fontconfig crash. So the C library's
 * functions are replaced for all of the process by ones that never return NULL. */
#pragma once

#include <stddef.h>

/* Say that `bytes` more are needed and end the program. Any thread may call it. */
_Noreturn void memory_none(size_t bytes);
