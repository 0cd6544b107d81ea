/* error_print.h - a failure as the person reads it. */
#pragma once

#include "session/session.h"

/* Write the message and its details to standard error, `name` in front ("glassbox: ",
 * or ""): on a terminal in lines that break between words, else as one line. On the
 * screen it stands on the page. */
void error_print(Session *session, const char *name, const Error *error);
