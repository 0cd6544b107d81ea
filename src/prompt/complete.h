/* complete.h - tab completion: commands, flags, addresses with their axes and labels,
 * stages, models. */
#pragma once

#include "session/session.h"

/* Return the words that can replace `word`, the end of `line` (the text before the
 * cursor), in `arena`. Their common prefix starts with the meaning of `word`. */
const char *const *complete_words(const Session *session, const char *line,
                                  const char *word, Arena *arena, int *count);

/* Return true if a space follows the completed word. An address may be followed by a
 * bracket, and = by a value. */
bool complete_is_whole(const char *line, const char *word);

/* Return true if a file name belongs there. */
bool complete_wants_file(const char *line, const char *word);
