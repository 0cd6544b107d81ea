/* line_edit.h - edit and complete a line in the terminal with readline, which is
 * otherwise used only in readline_fixes.h and screen/entry.c. */
#pragma once

#include "session/session.h"

/* Call before the first line. Completion uses the state of the session at that time. */
void line_edit_begin(const Session *session);

/* Return true if the terminal is large enough to edit a line. In smaller ones readline
 * divides by the room left in a row, and the user cannot see the input. */
bool line_edit_fits(void);

/* Show "> " and read a line, in `arena`, without its end; NULL at the end of the input.
 * After a signal known to interrupt_signal(), return the text typed so far or NULL. */
char *line_edit(const char *prompt, Arena *arena);

/* Start the next line with this key, which was read elsewhere. */
void line_edit_give_back(char key);

/* Add the line to the history. */
void line_edit_remember(const char *line);
