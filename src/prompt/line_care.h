/* line_care.h - what readline 8.2 does badly is kept from it. Random keys made it crash
 * or go on without end in one of 40 sessions of 150 keys; so kept it survives thousands
 * (tests/units/test_line_care.c). */
#pragma once

#include <stdbool.h>

/* Let keys ring the bell whose functions crash, or do what they do with care. Call it
 * when readline has read its settings; again does no harm. */
void line_care_keys(void);

/* What a terminal sends behind a paste. */
#define END_OF_PASTE "\x1b[201~"

/* What to hand out where there is no key and will be none: EOF, but to what reads a
 * paste its end. readline would take what it has of one for a text, which has no end
 * yet. `in_paste`: one is known to have begun; another one may begin in what it held.
 * `*given` counts, from 0 for each line. */
int line_care_no_key(bool in_paste, int *given);

/* Let the callback interface read a key. `take`, its handler, gets a line that ends
 * with this key, and removes itself. */
void line_care_read_key(void (*take)(char *line));

/* End a line of the callback interface that is not to be accepted. */
void line_care_give_up(void);

/* Forget what was changed in lines of the history, and what of the last line could be
 * taken back: readline frees some of it twice. Call it after each line, accepted or
 * given up. */
void line_care_history(void);
