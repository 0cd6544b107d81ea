/* walk_back.h - the walk back through a step of learning: the loss, the stages from the
 * last to the first with their gradients, and what Adam makes of one weight. */
#pragma once

#include "session/session.h"

/* Show the next stop, or the one before; false behind the last and before the first:
 * then the walk back has ended. */
bool walk_back_next(Session *session);
bool walk_back_previous(Session *session);

/* Show all stops. */
void walk_back_all(Session *session);
