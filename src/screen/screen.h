/* screen.h - the full screen: the map, a tensor, a cell with its explanation, and the
 * sentence, next to each other. It uses the same session, commands and pages as the
 * prompt. */
#pragma once

#include "session/session.h"

/* Show the full screen until the user leaves it or a signal known to interrupt_signal()
 * arrives. Fail if the terminal does not support it. */
bool screen_run(Session *session, Error *error);
