/* addresses.h - where the person is, for commands that take an address: what is
 * left out or short is written out before they run. */
#pragma once

#include "command/arguments.h"
#include "explain/short_address.h"
#include "session/session.h"

/* The stop of the walk; its addresses in `arena`. */
WalkPlace walk_place(const Session *session, Arena *arena);

/* Put full addresses in place of the words, and say how a short one was understood. Of
 * a command that takes lines of an explanation, too ("3b"), these stay. */
bool expand_addresses(Session *session, Arguments *arguments, Error *error);
