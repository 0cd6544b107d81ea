/* show_lens.h - a lens of the run at hand: which one, at which word, said or drawn. */
#pragma once

#include "command/command.h"
#include "lens/lens.h"
#include "session/session.h"

/* Record the lens that the first word names, at the place that the second chooses, and
 * say it, or with -o draw it into a file. */
bool show_lens(Session *session, const Arguments *arguments, Error *error);

/* Where a word is an address of a lens that is not recorded, record it with what is
 * usual, so that ":show lens.rollout.encoder.1.rollout" works by itself. */
bool show_lens_ready(Session *session, const Arguments *arguments, Error *error);
