/* show_steps.h - `draw steps`: at each step of the decoding the word that was said, and
 * those that came next. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* The decoding at hand as bars, in the session's scratch. Fails where nothing was
 * decoded. */
bool show_steps(Session *session, const Arguments *arguments, Figure *figure,
                Error *error);
