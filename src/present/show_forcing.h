/* show_forcing.h - compare teacher forcing with free running: what the decoder reads
 * and predicts when it is given the correct words, and when it reads its own. */
#pragma once

#include "session/session.h"

/* Show both, position by position, for the target `typed` of the current sentence;
 * NULL: the current target. */
bool show_forcing(Session *session, const char *typed, Error *error);
