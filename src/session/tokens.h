/* tokens.h - how a sentence became tokens. */
#pragma once

#include "session/session.h"

/* The tokens and ids of the sentence, with a heading where they are a stop of the walk;
 * NULL: they are asked for by name. */
void show_tokens(Session *session, const StoryPlace *place);

/* The merges by which byte pairs became the tokens of one word, or of all (NULL). */
bool show_merges(Session *session, const char *word, Error *error);
