/* screen.h - the full screen: the map, a tensor, a cell and its explanation, and the
 * sentence, side by side. The same session, the same commands and the same pages as at
 * the prompt. */
#pragma once

#include "session/session.h"

/* Take the terminal over until the person leaves, or a signal that interrupt_signal()
 * knows ends it. Fails where the terminal cannot show a screen. */
bool screen_run(Session *session, Error *error);
