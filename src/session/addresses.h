/* addresses.h - complete the addresses of a command: before it runs, replace short or
 * omitted addresses by full ones, relative to the current stop. */
#pragma once

#include "command/arguments.h"
#include "explain/short_address.h"
#include "session/session.h"

/* Return the current stop of the walk; its addresses are in `arena`. */
WalkPlace walk_place(const Session *session, Arena *arena);

/* Replace the words by full addresses, and add a note on how a short one was read.
 * Lines of an explanation ("3b") stay as they are, if the command takes them. */
bool expand_addresses(Session *session, Arguments *arguments, Error *error);
