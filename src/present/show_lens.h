/* show_lens.h - a lens of the current run: choose it, choose a word, and print or draw
 * it. */
#pragma once

#include "command/command.h"
#include "lens/lens.h"
#include "session/session.h"

/* Record the lens named by the first word at the position given by the second, and
 * print it, or with -o draw it into a file. */
bool show_lens(Session *session, const Arguments *arguments, Error *error);

/* If a word is an address of a lens that is not recorded, record it with the defaults,
 * so that ":show lens.rollout.encoder.1.rollout" works on its own. */
bool show_lens_ready(Session *session, const Arguments *arguments, Error *error);
