/* walk_back.h - the walk back through a training step: the loss, the stages from last
 * to first with their gradients, and Adam's update of one weight. */
#pragma once

#include "session/session.h"

/* Show the next or previous stop. Return false after the last or before the first,
 * which ends the walk back. */
bool walk_back_next(Session *session);
bool walk_back_previous(Session *session);

/* Show all stops. */
void walk_back_all(Session *session);
