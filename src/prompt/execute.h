/* execute.h - run a command: first what it needs, then what it does. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Run the command `word[0]` with the words behind it: what a line of the prompt and the
 * arguments of the program have in common. */
bool command_run(Session *session, const char *const *word, int words, Error *error);

/* The same of a command that need not be in the table; word[0] is not looked at. */
bool command_run_row(Session *session, const Command *command, const char *const *word,
                     int words, Error *error);

/* One line typed at the prompt, without the colon. */
bool command_line(Session *session, const char *line, Error *error);
