/* complete.h - what can stand where the cursor is: commands, flags, addresses
 * and their axes and labels, stages, models.
 */
#pragma once

#include "shell/session.h"

/* The i-th word that can stand in place of `word`, which `line` (up to the cursor) ends
 * with; NULL after the last. In `arena`. */
const char *complete_word(const Session *session, const char *line, const char *word,
                          int i, Arena *arena);

/* Does a space follow such a word? Behind an address a bracket may come, behind an =
 * its value. */
bool complete_is_whole(const char *line, const char *word);

/* Is a file name wanted there? */
bool complete_wants_file(const char *line, const char *word);
