/* lesson_page.h - a lesson as a page for those who do not have the program. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* `lesson page LESSON -o FILE`: one file of HTML that needs nothing else, with what
 * each line of the lesson prints now, its figures, and its questions with hints and
 * answers to be opened. */
bool lesson_page(Session *session, const Arguments *arguments, Error *error);
