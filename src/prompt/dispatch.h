/* dispatch.h - what a typed line means, and running the command that it is: first what
 * the command needs, then what it does, a screenful at a time. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Run the command `word[0]` with the words behind it: what a line of the prompt and the
 * arguments of the program have in common. */
bool command_run(Session *session, const char *const *word, int words, Error *error);

/* The same of a command that need not be in the table; word[0] is not looked at. */
bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error);

/* The sentences that flags ask for; `request->limit` stays where --limit is not given.
 */
bool dispatch_request(const Arguments *arguments, Request *request, Error *error);

/* The command that a clean line is, without its colon; NULL where it is none. */
const char *dispatch_command(const char *line);

/* Nothing but blanks? A comment, as in files of commands? */
bool dispatch_is_blank(const char *line);
bool dispatch_is_comment(const char *line);

/* Run a clean line as it is meant outside of a lesson: inside of one, Enter and plain
 * lines are the lesson's. */
bool dispatch_meant(Session *session, const char *line, Error *error);
