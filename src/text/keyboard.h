/* keyboard.h - text that was typed while the keyboard was set to Hangul. */
#pragma once

#include "base/arena.h"

/* Return the keys of an English keyboard that give this text on a Korean two-set
 * keyboard ("ㅗ디ㅔ": "help"). Other characters stay. Allocated in `arena`. */
const char *keyboard_keys(const char *text, Arena *arena);
