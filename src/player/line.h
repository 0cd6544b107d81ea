/* line.h - the prompt: read lines and run them. */
#pragma once

#include "session/session.h"

/* Print the first lines: what the program is, what its model is for, and what to type;
 * or only those about the model. */
void line_greet(Session *session);
void line_greet_model(Session *session);

/* Run a line: a sentence, a command after a colon (or the bare word
 * help, next, back, quit), an empty line for the next stage, or a comment after # and
 * blanks. A backslash at the start makes it a sentence. The output stays on
 * session->page until the next line. Fail with the error, also if the user interrupts.
 */
bool line_run(Session *session, const char *line, Error *error);

enum { LINE_BYTES_MAX = 1 << 20 };

/* Read a line of standard input, in `arena`, as file_line() does; NULL at the end. Of a
 * line that is too long, keep only enough to detect that. Skip a byte order mark, which
 * each of several joined files may have. `is_typed`: at a terminal, until a signal. */
char *line_read(bool is_typed, Arena *arena);

/* Return the prompt of the next line: "? " if it is an answer. */
const char *line_prompt(const Session *session);

/* Return true if input and output are terminals. */
bool line_is_prompt(void);

/* Read and run lines until `:quit` or the end. Errors go to standard error. Show a
 * prompt if input and output are terminals. Return false if a line failed without a
 * prompt. */
bool line_loop(Session *session);
