/* walk_page.h - a walk through a sentence as one HTML page: a section for every stop at
 * the walk's depth, with everything that the prompt would print. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Write the walk of the current sentence to the file of -o. The current stop does not
 * change. */
bool walk_page(Session *session, const Arguments *arguments, Error *error);
