/* keyboard.h - what was typed while a Korean keyboard was set to Hangul. */
#pragma once

#include "base/arena.h"

/* The keys of an English keyboard that give this text on a Korean one with two sets
 * ("ㅗ디ㅔ": "help"); what is not Hangul stays. In `arena`. */
const char *keyboard_keys(const char *text, Arena *arena);
