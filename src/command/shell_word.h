/* shell_word.h - texts in the commands that figures and pages carry, for a shell to
 * read.
 */
#pragma once

#include "base/arena.h"

/* `text` as one word of a shell, in `arena`: quoted where it must be, and spelled in
 * numbers where its letters would not show. */
const char *shell_word(const char *text, Arena *arena);
