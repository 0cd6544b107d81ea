/* player.h - play a lesson: its words and commands one step after the other, its
 * questions asked and answered. At the prompt a person types the lines; `lesson run`
 * types them, too. */
#pragma once

#include "command/arguments.h"
#include "session/session.h"

/* Play the lesson at `path`, from where it was left. With a folder `scratch` it is only
 * tried: from its beginning, it writes there, and no progress is kept. Its findings are
 * said. */
bool player_begin(Session *session, const char *path, const char *scratch,
                  Error *error);

/* "Lesson 4: One query by hand", safe to print; one without a number has its title. */
const char *player_name(Session *session);

/* Go on: the words up to the next command, figure or question, and that. */
bool player_next(Session *session, Error *error);

/* Show the page before once more. */
bool player_back(Session *session, Error *error);

/* Does a question wait to which a plain line is the answer? */
bool player_wants_answer(const Session *session);

/* Is the line, though a short form of a command, a token that is asked for: "?"? */
bool player_means_token(const Session *session, const char *line);

/* Is something to be done by a command, and the line a number or a command without its
 * colon? It is not run as a sentence, which is said: it would spoil what is at hand. */
bool player_refuses(Session *session, const char *line);

/* Is the line another answer to the choice or number that was asked for just before? It
 * is said that the question is done. */
bool player_guesses_again(Session *session, const char *typed);

/* Take the line as an answer. */
bool player_take(Session *session, const char *typed, Error *error);

/* Fails, once, where how far the lesson is could not be kept. */
bool player_is_saved(Session *session, Error *error);

/* Something else was typed and done: perhaps what a question asks for is true now. */
bool player_follow(Session *session, Error *error);

/* The commands :hint, :answer, :skip, :where and :stop; each fails without a lesson. */
bool player_hint(Session *session, const Arguments *arguments, Error *error);
bool player_answer(Session *session, const Arguments *arguments, Error *error);
bool player_skip(Session *session, const Arguments *arguments, Error *error);
bool player_where(Session *session, const Arguments *arguments, Error *error);
bool player_stop(Session *session, const Arguments *arguments, Error *error);
