/* player.h - play a lesson step by step: show its text, run its commands, ask its
 * questions. The user types lines at a prompt; `lesson run` also types them. */
#pragma once

#include "command/arguments.h"
#include "player/player_progress.h"

/* Open the lesson at `path` and resume it. With a folder `scratch`, start at the
 * beginning, write files there and save no progress. Errors in the lesson are reported.
 */
bool player_begin(Session *session, const char *path, const char *scratch,
                  Error *error);

/* Return "Lesson 4: One query by hand", safe to print; without a number, the title. */
const char *player_name(Session *session);

/* Continue: show the text up to the next command, figure or question, and that. */
bool player_next(Session *session, Error *error);

/* Show the previous page again. */
bool player_back(Session *session, Error *error);

/* Return true if a question waits for a plain line as its answer. */
bool player_wants_answer(const Session *session);

/* Return true for a short form of a command that is a requested token: "?". */
bool player_means_token(const Session *session, const char *line);

/* If a question needs a command, reject numbers and commands without a colon with a
 * message: as sentences, they would replace the current run. */
bool player_refuses(Session *session, const char *line);

/* If the line is another answer to the last choice or number question, report that it
 * is already answered, and return true. */
bool player_guesses_again(Session *session, const char *typed);

/* Take the line as an answer. */
bool player_take(Session *session, const char *typed, Error *error);

/* Call after a line outside of the lesson: a condition may be true now. */
bool player_follow(Session *session, Error *error);

/* The commands :hint, :answer, :skip, :where and :stop; each fails without a lesson. */
bool player_hint(Session *session, const Arguments *arguments, Error *error);
bool player_answer(Session *session, const Arguments *arguments, Error *error);
bool player_skip(Session *session, const Arguments *arguments, Error *error);
bool player_where(Session *session, const Arguments *arguments, Error *error);
bool player_stop(Session *session, const Arguments *arguments, Error *error);
