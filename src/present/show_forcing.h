/* show_forcing.h - teacher forcing beside free running: what the decoder reads and says
 * when it is given the right words, and when it reads its own. */
#pragma once

#include "session/session.h"

/* Side by side, position by position, for the target `typed` of the sentence that is
 * shown; NULL: the target at hand. */
bool show_forcing(Session *session, const char *typed, Error *error);
