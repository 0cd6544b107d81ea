/* token.h - which token was typed. */
#pragma once

#include "lesson/value.h"

/* Along the axis of the one that is wanted, by its piece, its word or its index; a word
 * of several pieces is the wanted one if that is among them. -1: it is none. `reply`,
 * if not NULL, says why it is none, or which one an index names. */
int token_typed(const Value *wanted, const char *typed, const char **reply,
                Arena *arena);
