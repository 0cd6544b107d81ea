/* line.h - the prompt: lines are read one after the other, and handed over. */
#pragma once

#include "shell/session.h"

/* What stands in front of a line that is typed: "? " where it is an answer. */
const char *line_prompt(const Session *session);

/* Is there a terminal on both sides? */
bool line_is_prompt(void);

/* Read lines until `:quit` or the end, and run each; a failure goes to standard error.
 * With a
 * terminal on both sides there is a prompt; if not, lines come from standard input as
 * they are. False when a line failed there. */
bool line_loop(Session *session);
