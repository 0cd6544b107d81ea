/* show_map.h - the map of the model at hand, with the shapes of the sentence at hand
 * and a mark where the walk stands. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* `figure` becomes the map, without facts. A stage named by --at goes before the one
 * where the walk stands. Fails where there is no such stage, or no model. */
bool show_map(Session *session, const Arguments *arguments, Figure *figure,
              Error *error);

/* Say in `told` by --at where the walk stands, so that the recorded command draws the
 * same mark. */
void show_map_tell(const Session *session, Arguments *told, Arena *arena);
