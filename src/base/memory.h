/* memory.h - what happens when there is no memory: one sentence, and status 1.
 *
 * Replaces malloc and its kin for the whole process by functions that never return
 * NULL. The libraries' own handling is not enough: with it, of 96 requests refused one
 * at a time while pictures, pages and answers were made, 44 ended by a signal
 * (fontconfig, Pango, GLib), 5 hung and 7 printed the sentence. What is freed goes to
 * the C library as before. A build with a sanitizer keeps the sanitizer's allocator. */
#pragma once

#include <stddef.h>

/* Say that `bytes` more are needed and end the program, by quick_exit(). Any thread may
 * call it. */
_Noreturn void memory_none(size_t bytes);

/* What puts the terminal in order before that is said. */
void memory_none_begins(void (*give_back)(void));
