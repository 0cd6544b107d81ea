/* tokens.h - show how a sentence became tokens. */
#pragma once

#include "session/session.h"
#include "walk/story_page.h"

/* Show the tokens and ids of the sentence, with a heading if they are a stop of the
 * walk; NULL: without. */
void show_tokens(Session *session, const StoryPlace *place);

/* Show the byte pair merges that made the tokens of one word, or of all words (NULL).
 */
bool show_merges(Session *session, const char *word, Error *error);
