/* reading.h - can the model read a sentence? Compare its words and letters with those
 * of the training data, and offer another model for text that it cannot read. */
#pragma once

#include "session/session.h"

/* If most words of the text have letters that are not in the current model's training
 * data, and a model of the program can read them: report it, offer that model, and
 * return true. Only at a prompt, outside of lessons, and not twice for the same text:
 * if the user types it again, they mean the current model. */
bool reading_offers(Session *session, const char *text);
