/* line.h - the prompt: read lines one after the other and run them. */
#pragma once

#include "session/session.h"

/* The first lines: what the program is, what its model is for, and what to type; and
 * those of the model alone. */
void line_greet(Session *session);
void line_greet_model(Session *session);

/* Run one line of `length` bytes: a sentence, a command after a colon (or the bare word
 * help, next, back, quit), nothing for the next stage, or a comment after # and blanks.
 * A backslash in front makes a sentence of it. What it says is on session->page until
 * the next line. Fails with what is wrong, also where the person stopped it. */
bool line_run(Session *session, const char *line, size_t length, Error *error);

enum { LINE_BYTES_MAX = 1 << 20 };

/* The prompt of the next line: "? " where it is an answer. */
const char *line_prompt(const Session *session);

/* Is there a terminal on both sides? */
bool line_is_prompt(void);

/* Read lines until `:quit` or the end, and run each; a failure goes to standard error.
 * With a
 * terminal on both sides there is a prompt; if not, lines come from standard input as
 * they are. False when a line failed there. */
bool line_loop(Session *session);
