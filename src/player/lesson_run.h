/* lesson_run.h - a lesson from its beginning to its end, without a person. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* `lesson run LESSON`: the transcript as the player shows it. With --answers the lines
 * of that file are typed as a student would type them. Without it each question gets a
 * wrong answer where one is known, its hints, and the right one; a prediction, which
 * has one try, its hints and the wrong one. Nothing is remembered as a student's, and
 * what is written goes. Fails where the lesson did not come to its end. */
bool lesson_run(Session *session, const Arguments *arguments, Error *error);
