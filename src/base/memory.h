/* memory.h - what happens when there is no memory: one sentence, and status 1.
 *
 * Nothing here can go on without memory, and neither can the libraries: readline would
 * end with a status of its own, GLib abort, fontconfig crash. So malloc and its kin,
 * as all of the process finds them by name, look at what the C library's give and never
 * return NULL; what is freed goes to the C library as before. A build with a sanitizer
 * leaves them out: its allocator ends the program by itself. */
#pragma once

#include <stddef.h>

/* Say that `bytes` more are needed and end the program, by quick_exit(). Any thread may
 * call it. */
_Noreturn void memory_none(size_t bytes);

/* What puts the terminal in order before that is said. */
void memory_none_begins(void (*give_back)(void));
