/* error_print.h - print an error for the user. */
#pragma once

#include "session/session.h"

/* Write the message and its details to standard error, after `name` ("glassbox: ", or
 * ""): on a terminal wrapped between words, else on one line. In the full screen, add
 * it to the page. */
void error_print(Session *session, const char *name, const Error *error);
