/* settings.h - the display options that stay: $XDG_CONFIG_HOME/glassbox/config.json, an
 * object with some of the options of `:options`. The other options keep their defaults.
 */
#pragma once

#include "session/session.h"

/* Read the file into `options`. No file: nothing changes. A file that is wrong in any
 * way fails, and none of its options is used. */
bool settings_read(Display *options, Arena *arena, Error *error);

/* Write all of `options`. An existing file that settings_read() would reject is kept
 * and is an error, unless `force` is set. `path`: the file. */
bool settings_save(const Display *options, bool force, Arena *arena, const char **path,
                   Error *error);
