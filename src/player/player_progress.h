/* player_progress.h - the progress in the open lesson, and its file, which another
 * program may save at the same time. */
#pragma once

#include "session/session.h"

/* Load the progress and resume the lesson there. */
void player_load_progress(Session *session);

/* Save the progress, if possible; player_is_saved() reports a failure. */
void player_save_progress(Session *session);

/* Fail, once, if the progress could not be saved. */
bool player_is_saved(Session *session, Error *error);
