/* dispatch.h - what a line means that the person typed, wherever it was typed. */
#pragma once

#include "shell/session.h"

/* Run one line of `length` bytes: a sentence, a command after a colon (or the bare word
 * help, next, back, quit), nothing for the next stage, or a comment after #
 * and blanks. A
 * backslash in front makes a sentence of it. What it says stands on session->page until
 * the next line. Fails with what is wrong, also where the person stopped it. */
bool dispatch_line(Session *session, const char *line, size_t length, Error *error);

/* The command that a clean line is, without its colon; NULL where it is none. */
const char *dispatch_command(const char *line);

/* What a clean line means outside of a lesson: inside of one, Enter and plain lines are
 * the lesson's. */
bool dispatch_meant(Session *session, const char *line, Error *error);

enum { LINE_BYTES_MAX = 1 << 20 };
