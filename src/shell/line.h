/* line.h - the prompt: editing, history and completion. The only home of readline. */
#pragma once

#include "shell/session.h"

/* Read lines until `:quit` or the end, and run each: a sentence, a command after a
 * colon, or nothing for the next stage. With a terminal on both sides there is a
 * prompt; if not, lines come from standard input as they are. False when a line failed
 * there. */
bool line_loop(Session *session);

/* Run one line. A failure goes to standard error. */
bool line_run(Session *session, const char *line, size_t length);
