/* dispatch.h - what a line means that the person typed, wherever it was typed. */
#pragma once

#include "session/session.h"

/* The command that a clean line is, without its colon; NULL where it is none. */
const char *dispatch_command(const char *line);

/* What a clean line means outside of a lesson: inside of one, Enter and plain lines are
 * the lesson's. */
bool dispatch_meant(Session *session, const char *line, Error *error);

/* Nothing but blanks? A comment, as in files of commands? */
bool dispatch_is_blank(const char *line);
bool dispatch_is_comment(const char *line);
