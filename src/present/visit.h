/* visit.h - the stops of a walk as pages, and the way from one to the next. */
#pragma once

#include "session/session.h"

/* Go to stop `index` and show it at the walk's depth, or fail if it does not exist. */
bool visit_stop(Session *session, int index, Error *error);

/* Go to the next or previous stop that the walk visits. */
bool visit_next(Session *session, Error *error);
bool visit_previous(Session *session, Error *error);

/* Make the walk coarser by `change` levels (negative: finer) and show the stop. */
bool visit_at_depth(Session *session, int change, Error *error);
