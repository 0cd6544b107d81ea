/* stops.h - where a walk stops: at the tokens, at each stage of the run, at each step
 * of the decoding. */
#pragma once

#include "shell/session.h"

/* How many there are; 0 without a sentence. */
int stops_count(const Session *session);

/* Go to stop `index` and show it. Past the end, or without a sentence, it says so. */
bool stops_go(Session *session, int index, Error *error);

/* The name of a stop, for goto and stages: "tokens", "encoder.0.scores", "step.2". */
const char *stops_name(const Session *session, int index, Arena *arena);

/* Its title. */
const char *stops_title(const Session *session, int index, Arena *arena);

/* The stop that a number, a name or an idea (explain/idea.h) means, or -1; of several
 * the next one. */
int stops_find(const Session *session, const char *name, Arena *arena);

/* The addresses of what a stop shows, the best to look at first, in `arena`; none
 * without a sentence. */
const char *const *stops_shown(const Session *session, int index, Arena *arena,
                               int *count);
