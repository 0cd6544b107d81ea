/* player.h - a lesson that is played: its words and commands one step after the other,
 * its questions asked and answered. At the prompt a person types the lines; the checker
 * and scripts type them, too. */
#pragma once

#include "session/session.h"

/* Play the lesson at `path`, from where it was left. With a folder `scratch` it is only
 * tried: from its beginning, it writes there, and how far it is will not be kept. What
 * is wrong with it is said, and is left out. */
bool player_begin(Session *session, const char *path, const char *scratch,
                  Error *error);

/* "Lesson 4: One query by hand", safe to print; one without a number has its title. */
const char *player_name(Session *session);

/* The question at hand, and an answer to it that is right, in the session's scratch; of
 * a choice its number and text. */
const Quiz *player_question(const Session *session);
bool player_right_answer(Session *session, const char **answer, Error *error);

/* The question at hand is over: what explains it, and on. */
void player_go_on(Session *session);

/* What became of the question at hand. */
ProgressAnswer *player_answers(Session *session);

/* Go on: the words up to the next command, figure or question, and that. */
bool player_next(Session *session, Error *error);

/* Show the page before once more. */
bool player_back(Session *session, Error *error);

/* Does a question wait to which a plain line is the answer? */
bool player_wants_answer(const Session *session);

/* Take the line as an answer. */
bool player_take(Session *session, const char *typed, Error *error);

/* Something else was typed and done: perhaps what a question asks for is true now. */
bool player_follow(Session *session, Error *error);

/* What :hint, :answer, :skip, :where and :stop do; each fails without a lesson. */
bool player_hint(Session *session, Error *error);
bool player_answer(Session *session, Error *error);
bool player_skip(Session *session, Error *error);
bool player_where(Session *session, Error *error);
bool player_stop(Session *session, Error *error);
