/* walk_page.h - a walk through a sentence as one page of HTML: every stop that the walk
 * visits at its depth, a section each, with all that the prompt would say of it. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Write the walk of the sentence at hand to the file that -o names; where the person
 * stands stays as it was. */
bool walk_page(Session *session, const Arguments *arguments, Error *error);
