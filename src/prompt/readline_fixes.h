/* readline_fixes.h - work around readline 8.2: rebind functions that crash or loop, and
 * clear what it frees twice. Random keys made it crash or go on without end in one of
 * 40 sessions of 150 keys; with this it survives thousands
 * (tests/units/test_readline_fixes.c). */
#pragma once

#include <stdbool.h>

/* Rebind keys whose functions crash to the bell, and leave vi mode, whose commands lose
 * parts of the line or never end. Call it when readline has read its settings; again
 * does no harm. */
void readline_fix_keys(void);

/* What a terminal sends behind a paste. */
#define END_OF_PASTE "\x1b[201~"

/* The byte to give to readline where there is no key and will be none: EOF, but where
 * it reads a paste the end of it, byte by byte, since it would wait for that.
 * `in_paste`: one is known to have begun; another one may begin in what it held.
 * `*given` counts, from 0 for each line. */
int readline_byte_at_end(bool in_paste, int *given);

/* Let the callback interface read a key. `take`, its handler, gets a line that ends
 * with this key, and removes itself. */
void readline_read_key(void (*take)(char *line));

/* End a line of the callback interface that is not to be accepted. */
void readline_give_up(void);

/* Forget what was changed in lines of the history, and what of the last line could be
 * undone: readline frees some of it twice. Call it after each line, accepted or given
 * up. */
void readline_fix_history(void);
