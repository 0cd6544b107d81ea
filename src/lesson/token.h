/* token.h - which token was typed. */
#pragma once

#include "lesson/value.h"

/* Return the token that was typed, by its piece, its word or its index on the axis of
 * the expected token. A word with several pieces counts as the expected token if that
 * is one of them. -1: no token. `*reply`, unless `reply` is NULL, becomes the reason,
 * or the token that an index refers to. */
int token_typed(const Value *expected, const char *typed, const char **reply,
                Arena *arena);
