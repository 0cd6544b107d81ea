/* dispatch.h - find out what a typed line means, and run its command: first prepare
 * what the command needs, then run the command itself, showing its output one screenful
 * at a time. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Run the command `word[0]` with the words after it. Used for lines of the prompt and
 * for the program's arguments. */
bool command_run(Session *session, const char *const *word, int words, Error *error);

/* The same for a command that need not be in the table; word[0] is ignored. */
bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error);

/* Read the sentences in the flags. Without --limit, `request->limit` does not change.
 */
bool dispatch_request(const Arguments *arguments, Request *request, Error *error);

/* Return the command of a clean line, without the colon; NULL if the line is not a
 * command. */
const char *dispatch_command(const char *line);

/* True for blank lines; true for comments in files of commands. */
bool dispatch_is_blank(const char *line);
bool dispatch_is_comment(const char *line);

/* Run a clean line as if outside a lesson. In a lesson, Enter and plain lines belong to
 * the lesson. */
bool dispatch_meant(Session *session, const char *line, Error *error);
