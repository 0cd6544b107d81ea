/* reading.h - can the model read a sentence? Its training tells: the words that it had,
 * and their letters. For what it cannot read another model may be offered. */
#pragma once

#include "session/session.h"

/* If most words of the text are in letters that the training of the model at hand did
 * not have, and a model that comes with the program reads them: say so and offer that
 * model, which is to read the text. Only where somebody can press Enter, not in a
 * lesson, and not for the text that was offered last: who types it again means this
 * model. */
bool reading_offers(Session *session, const char *text);
