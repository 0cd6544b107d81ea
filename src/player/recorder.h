/* recorder.h - what lines print, kept as text instead of shown. */
#pragma once

#include <stdio.h>

#include "base/builder.h"
#include "player/enact.h"
#include "window/text.h"

/* A window of 80 columns without colours, in the place of a session's own. */
typedef struct {
    Session *session;
    const Window *page, *messages; /* the session's own */
    Arena arena;
    TextWindow *window;
    FILE *out;
    Builder printed;
} Recorder;

void recorder_begin(Recorder *recorder, Session *session);

/* Type the line, and return what it printed, with the reason where it failed; in
 * `arena`. */
const char *recorder_type(Recorder *recorder, const TypedLine *typed,
                          const char *folder, Arena *arena);

void recorder_end(Recorder *recorder);
