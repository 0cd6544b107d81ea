/* complete.h - what can be typed at the cursor: commands, flags, addresses
 * and their axes and labels, stages, models.
 */
#pragma once

#include "session/session.h"

/* The words that can take the place of `word`, which `line` (up to the cursor) ends
 * with, in `arena`. What they have in common begins with what `word` means. */
const char *const *complete_words(const Session *session, const char *line,
                                  const char *word, Arena *arena, int *count);

/* Does a space follow such a word? Behind an address a bracket may come, behind an =
 * its value. */
bool complete_is_whole(const char *line, const char *word);

/* Is a file name wanted there? */
bool complete_wants_file(const char *line, const char *word);
