/* readline_fixes.h - work around bugs in readline 8.2: rebind functions that crash or
 * loop, and clear what it frees twice. With random keys, one in 40 sessions of 150 keys
 * crashed or hung; with these fixes thousands succeed
 * (tests/units/test_readline_fixes.c). */
#pragma once

#include <stdbool.h>

/* Rebind keys of functions that crash to the bell, and leave vi mode, whose commands
 * lose parts of the line or never end. Call it after readline has read its settings;
 * calling it again is harmless. */
void readline_fix_keys(void);

/* Sent by terminals after a paste. */
#define END_OF_PASTE "\x1b[201~"

/* Return the byte for readline when there is no more input: EOF or, inside a paste, the
 * end of the paste byte by byte, since readline would wait for it. `in_paste`: a paste
 * has started; its text may start another one. `*given` counts the bytes, from 0 for
 * each line. */
int readline_byte_at_end(bool in_paste, int *given);

/* Let the callback interface read a key. If the key ends the line, the handler `take`
 * is called with it and must remove itself. */
void readline_read_key(void (*take)(char *line));

/* End a line of the callback interface without accepting it. */
void readline_give_up(void);

/* Discard changes to history lines, and the undo list of the last line, parts of which
 * readline frees twice. Call it after each line, accepted or canceled. */
void readline_fix_history(void);
