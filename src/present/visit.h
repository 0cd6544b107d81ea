/* visit.h - the stops of a walk as pages, and the way from one to the next. */
#pragma once

#include "session/session.h"

/* Show stop `index` at the walk's depth. */
void visit_show(Session *session, int index);

/* Go to that stop and show it, or fail if it does not exist. */
bool visit_stop(Session *session, int index, Error *error);

/* Go to the next or previous stop that the walk visits. */
bool visit_next(Session *session, Error *error);
bool visit_previous(Session *session, Error *error);

/* Make the walk coarser by `change` levels (negative: finer) and show the stop. */
bool visit_at_depth(Session *session, int change, Error *error);
