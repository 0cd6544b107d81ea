/* line_edit.h - one line, edited and completed in the terminal by
 * readline, whose other homes are readline_fixes.h and the screen's entry.h. */
#pragma once

#include "session/session.h"

/* Before the first line. Words are completed from what the session has at that moment.
 */
void line_edit_begin(const Session *session);

/* Is the terminal large enough to edit a line in it? Below that readline divides by
 * what is left of a row, and nobody could see what they type. */
bool line_edit_fits(void);

/* Show "> " and read a line, in `arena` and without its end; NULL at the end of the
 * input. After a signal that interrupt_signal() knows, the line is what was typed so
 * far or NULL. */
char *line_edit(const char *prompt, Arena *arena);

/* Let the next line begin with this key: it was read by somebody else. */
void line_edit_give_back(char key);

/* Let the person call this line back. */
void line_edit_remember(const char *line);
