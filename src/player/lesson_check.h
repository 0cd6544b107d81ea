/* lesson_check.h - lessons read with a red pencil: what in them is not so. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* `lesson check FILE ...`: each block runs, each answer passes its own check, each
 * wrong choice fails, links and addresses exist. A line "FILE:LINE: ..." for each
 * finding; fails where there are any. */
bool lesson_check(Session *session, const Arguments *arguments, Error *error);
